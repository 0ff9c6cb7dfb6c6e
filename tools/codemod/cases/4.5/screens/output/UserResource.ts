import { Entity } from '@selfsame/core';
import { createResource } from '@selfsame/core/rest';

export default class UserResource extends Entity {
  readonly id: number = 0;
  readonly name: string = '';

  pk() {
    return String(this.id);
  }

  static key = 'UserResource';
}

export const userResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/user/:id',
  schema: UserResource,
});
