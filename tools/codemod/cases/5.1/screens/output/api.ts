// The API of this application.
import { Entity } from '@selfsame/core';
import { createResource } from '@selfsame/core/rest';

const API = 'https://api.example.com';

export class User extends Entity {
  readonly id: number = 0;
  readonly name: string = '';

  pk() {
    return `${this.id}`;
  }

  static get key() {
    return 'User';
  }
}

export const userResource = createResource({
  urlPrefix: API,
  path: '/user/:id',
  schema: User,
});

export class Todo extends Entity {
  readonly id: number | undefined = undefined;
  readonly title: string = '';
  readonly completed: boolean = false;
  readonly author: User | undefined = undefined;

  pk() {
    return this.id?.toString();
  }

  static key = 'Todo';

  static schema = { author: User };

  get label() {
    return this.completed ? `${this.title} ✓` : this.title;
  }
}

export const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
  dataExpiryLength: 10_000,
}).extend(({ getList }) => ({
  getList: getList.extend({
    schema: { results: [Todo], nextPage: '' },
  }),
}));

export type TodoFields = InstanceType<typeof Todo>;
