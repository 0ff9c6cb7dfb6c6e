import { Resource } from '@rest-hooks/rest'

const API = 'https://api.example.com'

export class User extends Resource {
  readonly id: number = 0
  readonly name: string = ''

  pk() {
    return `${this.id}`
  }

  static urlRoot = `${API}/user`

  static async fetch(input: RequestInfo, init: RequestInit) {
    init.headers = { ...init.headers, 'X-Client': 'web' }
    const answer = await super.fetch(input, init)
    return answer.user
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

  static urlRoot = `${API}/todo`
  static schema = { author: User }

  static getEndpointExtra() {
    return { ...super.getEndpointExtra(), dataExpiryLength: 60_000 }
  }

  get label() {
    return this.done ? `${this.title} ✓` : this.title
  }
}
