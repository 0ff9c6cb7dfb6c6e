import { createResource } from '@selfsame/core/rest';
import Base, { BaseEndpoint } from './Base';

export class Todo extends Base {
  readonly title: string = '';
  static key = 'Todo';
}

export const todoResource = createResource({
  path: '/todo/:id',
  schema: Todo,
  Endpoint: BaseEndpoint,
  dataExpiryLength: 60_000,
}).extend(({ getList }) => ({
  getList: getList.extend({ schema: { results: [Todo] } }),
}));

/** Another level. */
export class UrgentTodo extends Todo {
  readonly due: string = '';
  static key = 'UrgentTodo';
}

export const urgentTodoResource = createResource({
  path: '/urgent-todo/:id',
  schema: UrgentTodo,
  Endpoint: BaseEndpoint,
  dataExpiryLength: 60_000,
}).extend(({ getList }) => ({
  getList: getList.extend({ schema: { results: [UrgentTodo] } }),
}));
