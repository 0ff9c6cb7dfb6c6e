import { Resource } from 'rest-hooks'

export default class UserResource extends Resource {
  readonly id: number = 0
  readonly name: string = ''

  pk() {
    return this.id.toString()
  }

  static urlRoot = 'https://api.example.com/user'
}
