import { Entity } from '@selfsame/core';
import { createResource } from '@selfsame/core/rest';

export default class TodoResource extends Entity {
  readonly id: number | undefined = undefined;
  readonly userId: number = 0;
  readonly title: string = '';
  readonly createdAt: Date = new Date(0);

  pk() {
    return this.id?.toString();
  }

  static key = 'TodoResource';
  static schema = { createdAt: Date };
}

export const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: TodoResource,
}).extend(({ getList }) => ({
  getList: getList.extend({
    schema: { results: [TodoResource], nextPage: '', prevPage: '' },
    dataExpiryLength: 5000,
  }),
}));
