// session.ts
import { Entity } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'

export class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

const urlPrefix = 'https://api.example.com'
export const getMe = new RestEndpoint({ urlPrefix, path: '/me', schema: User })
export const login = new RestEndpoint({
  urlPrefix,
  path: '/login',
  method: 'POST',
  body: {} as { name: string; password: string },
})
export const logout = new RestEndpoint({
  urlPrefix,
  path: '/logout',
  method: 'POST',
  body: undefined,
})
