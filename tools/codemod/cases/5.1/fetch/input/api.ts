import { Resource } from '@rest-hooks/rest';
import { camelCased, snakeCased, token } from './util';
import { useToken } from './token';

/** The API has names in another case. */
export abstract class Base extends Resource {
  readonly id: number = 0;

  pk() {
    return `${this.id}`;
  }

  static async fetch(input: RequestInfo, init: RequestInit) {
    if (init.body) {
      // The body is JSON.
      init.body = JSON.stringify(snakeCased(JSON.parse(String(init.body))));
    }
    const answer = await super.fetch(input, init);
    return camelCased(answer);
  }
}

export class Todo extends Base {
  readonly title: string = '';
  static urlRoot = '/todo';
}

/** Another level, with a token. */
export abstract class Private extends Base {
  static getFetchInit = (init: RequestInit) => ({ ...init, headers: { ...init.headers, Authorization: token() } });
}

export class Note extends Private {
  readonly text: string = '';
  static urlRoot = '/note';
}

/** Whose step after the request asks what was requested. */
export class Log extends Base {
  static urlRoot = '/log';
  static async fetch(input: RequestInfo, init: RequestInit) {
    const answer = await super.fetch(input, init);
    return init.method === 'GET' ? answer : {};
  }
}

function useInit(init: RequestInit) {
  const current = useToken();
  return { ...init, headers: { Authorization: current } };
}

export class Me extends Base {
  static urlRoot = '/me';
  static useFetchInit = useInit;
}
