import { Resource } from '@selfsame/core/legacy';
import { createResource } from '@selfsame/core/rest';

export class Todo extends Resource {
  id = 0;
  title = '';

  static urlRoot = 'https://api.example.com/todo';
}

export const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
});
