import { Entity } from '@selfsame/core';
import { optimistic } from '@selfsame/core/optimistic';
import { createResource } from '@selfsame/core/rest';

export class Todo extends Entity {
  readonly id: number = 0;
  readonly title: string = '';

  pk() {
    return `${this.id}`;
  }

  static key = 'Todo';
}

export const todoResource = createResource({
  path: '/todo/:id',
  schema: Todo,
}).extend(({ create, partialUpdate }) => ({
  create: create.extend({
    getOptimisticResponse: optimistic((_snapshot, params: any, body = params) => body),
  }),
  partialUpdate: partialUpdate.extend({
    getOptimisticResponse: optimistic((_snapshot, params: any, body: any) => ({
      id: params.id,
      ...body,
    })),
  }),
}));
