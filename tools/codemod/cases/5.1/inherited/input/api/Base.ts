import { Resource } from '@rest-hooks/rest';
import { token } from '../token';

/** What all records of this API have in common. */
export default abstract class Base extends Resource {
  readonly id: number = 0;

  pk() {
    return `${this.id}`;
  }

  static getEndpointExtra() {
    return { ...super.getEndpointExtra(), dataExpiryLength: 60_000 };
  }

  static useFetchInit = (init: RequestInit) => ({
    ...init,
    headers: { ...init.headers, Authorization: `Bearer ${token()}` },
  });

  static list<T extends typeof Resource>(this: T) {
    return super.list().extend({ schema: { results: [this] } });
  }

  static label(of: number) {
    return `#${of}`;
  }
}
