import { Entity } from '@selfsame/core'

export class User extends Entity {
  id = 0
  name = ''
  isAdmin = false
  email = ''
  website = ''

  static override readonly key = 'User'
}
