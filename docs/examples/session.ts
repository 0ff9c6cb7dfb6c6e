import { Entity } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'

export class Account extends Entity {
  id = 0
  name = ''
  static override key = 'Account'
}

export const getMe = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/me',
  schema: Account,
})
