import { Entity } from '@selfsame/core'
import { createResource, RestEndpoint } from '@selfsame/core/rest'

export class User extends Entity {
  id = ''
  pk() {
    return this.id
  }
  static key = 'User'
}

export class UserEndpoint extends RestEndpoint {
  async parseResponse(response) {
    return super.parseResponse(response).then((answer) => answer.data)
  }
}

export const userResource = createResource({
  path: '/user/:id',
  schema: User,
  Endpoint: UserEndpoint,
})
