import type { TransportInit } from '@selfsame/core';
import { Resource } from '@selfsame/core/legacy';
import { RestEndpoint, createResource } from '@selfsame/core/rest';
import type { RestOptions } from '@selfsame/core/rest';
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

export class BaseEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
  override async fetchResponse(input: string, init: TransportInit): Promise<Response> {
    if (init.body) {
      // The body is JSON.
      init.body = JSON.stringify(snakeCased(JSON.parse(String(init.body))));
    }
    return super.fetchResponse(input, init);
  }

  override async parseResponse(response: Response): Promise<unknown> {
    const answer = await (super.parseResponse(response) as Promise<any>);
    return camelCased(answer);
  }
}

export class Todo extends Base {
  readonly title: string = '';
  static urlRoot = '/todo';
}

export const todoResource = createResource({
  path: '/todo/:id',
  schema: Todo,
  Endpoint: BaseEndpoint,
});

/** Another level, with a token. */
export abstract class Private extends Base {
  static getFetchInit = (init: RequestInit) => ({ ...init, headers: { ...init.headers, Authorization: token() } });
}

export class PrivateEndpoint<const Options extends RestOptions> extends BaseEndpoint<Options> {
  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return Private.getFetchInit(await super.getRequestInit(body));
  }
}

export class Note extends Private {
  readonly text: string = '';
  static urlRoot = '/note';
}

export const noteResource = createResource({
  path: '/note/:id',
  schema: Note,
  Endpoint: PrivateEndpoint,
});

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
