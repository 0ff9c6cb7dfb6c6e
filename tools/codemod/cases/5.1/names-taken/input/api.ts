import { Resource } from '@rest-hooks/rest';

export { NetworkError } from '@rest-hooks/rest';

export class Todo extends Resource {
  id = 0;
  static urlRoot = '/todo';
}

export class User extends Resource {
  id = 0;
  static urlRoot = '/user';
}

const userResource = 'user';
