import { Todo } from './Todo';

/** Its endpoints are those of a base that this file does not import. */
export class Note extends Todo {
  static urlRoot = '/note';
}
