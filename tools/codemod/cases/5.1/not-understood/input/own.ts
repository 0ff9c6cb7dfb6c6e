import { Resource } from '@rest-hooks/rest'

export default class Article extends Resource {
  id = ''
  pk() {
    return this.id
  }
  static urlRoot = '/article'
  static current<T extends typeof Resource>(this: T) {
    return this.detail().extend({ url: () => '/current' })
  }
  static create<T extends typeof Resource>(this: T) {
    return super.create().extend({ schema: { data: this }, update: () => ({}) })
  }
}
