import { Entity } from '@selfsame/core';
import { createResource } from '@selfsame/core/rest';

export class Todo extends Entity {
  id = 0;
  title = '';

  static key = 'Todo';
}

export const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
});
