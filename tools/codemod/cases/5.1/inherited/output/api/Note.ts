import { BaseEndpoint } from './Base';
import { createResource } from '@selfsame/core/rest';
import { Todo } from './Todo';

/** Its endpoints are those of a base that this file does not import. */
export class Note extends Todo {
  static key = 'Note';
}

export const noteResource = createResource({
  path: '/note/:id',
  schema: Note,
  Endpoint: BaseEndpoint,
  dataExpiryLength: 60_000,
}).extend(({ getList }) => ({
  getList: getList.extend({ schema: { results: [Note] } }),
}));
