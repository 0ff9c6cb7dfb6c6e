import { Resource } from 'rest-hooks'

export default class TodoResource extends Resource {
  readonly id: number = 0
  readonly title: string = ''
  readonly done: boolean = false
  readonly author: number = 0

  pk() {
    return this.id.toString()
  }

  static urlRoot = 'https://api.example.com/todo'

  static listShape<T extends typeof Resource>(this: T) {
    return { ...super.listShape(), schema: [this.asSchema()], options: { dataExpiryLength: 60_000 } }
  }

  get label() {
    return this.done ? `${this.title} ✓` : this.title
  }
}
