// session.ts
import { Entity } from '@selfsame/core'
import { NetworkError, RestEndpoint } from '@selfsame/core/rest'

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

/** After a 401, `useDLE` still returns the last data, beside the error. */
export const isSignedOut = (error: Error | undefined) =>
  error instanceof NetworkError && error.status === 401
