import { Entity } from '@selfsame/core';
import { RestEndpoint } from '@selfsame/core/rest';
import type { RestOptions } from '@selfsame/core/rest';
import { token } from '../token';

/** What all records of this API have in common. */
export default abstract class Base extends Entity {
  readonly id: number = 0;

  pk() {
    return `${this.id}`;
  }

  static useFetchInit = (init: RequestInit) => ({
    ...init,
    headers: { ...init.headers, Authorization: `Bearer ${token()}` },
  });

  static label(of: number) {
    return `#${of}`;
  }
}

export class BaseEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return Base.useFetchInit(await super.getRequestInit(body));
  }
}
