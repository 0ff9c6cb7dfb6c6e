import { Entity } from '@selfsame/core'
import { fetchByXhr } from '@selfsame/core/media'
import { RestEndpoint } from '@selfsame/core/rest'

class User extends Entity {
  id = 0
  static override key = 'User'
}

export const uploadAvatar = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/user/:id/avatar',
  method: 'PUT',
  body: {} as Blob,
  schema: User,
  fetchResponse: fetchByXhr,
})
