import { Resource } from '@rest-hooks/rest'

export class User extends Resource {
  readonly id: number = 0
  readonly name: string = ''

  pk() {
    return `${this.id}`
  }

  static urlRoot = 'https://api.example.com/user'

  static url(params: { id: number }) {
    return `https://api.example.com/user/${params.id}`
  }
}

export class Todo extends Resource {
  readonly id: number = 0
  readonly title: string = ''
  readonly done: boolean = false
  readonly author: User | undefined = undefined

  pk() {
    return `${this.id}`
  }

  static urlRoot = 'https://api.example.com/todo'
  static schema = { author: User }

  static finish() {
    return Todo.partialUpdate()
  }

  get label() {
    return this.done ? `${this.title} ✓` : this.title
  }
}
