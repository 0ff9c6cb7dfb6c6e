import { Resource } from '@rest-hooks/rest'

export class User extends Resource {
  id = ''
  pk() {
    return this.id
  }
  static urlRoot = '/user'
  static fetch(...args) {
    return super.fetch(...args).then((answer) => answer.data)
  }
}
