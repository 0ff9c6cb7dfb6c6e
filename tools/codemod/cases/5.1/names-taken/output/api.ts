import { Resource } from '@selfsame/core/legacy';
import { createResource } from '@selfsame/core/rest';

export { NetworkError } from '@rest-hooks/rest';

export class Todo extends Resource {
  id = 0;
  static urlRoot = '/todo';
}

export const todoResource = createResource({
  path: '/todo/:id',
  schema: Todo,
});

export class User extends Resource {
  id = 0;
  static urlRoot = '/user';
}

const userResource = 'user';
