import { Resource } from '@selfsame/core/legacy';

export class Todo extends Resource {
  id = '';
  pk() {
    return this.id;
  }
  static urlRoot = '/todo';
  static getFetchInit(init: RequestInit) {
    return { ...super.getFetchInit(init), credentials: 'include' };
  }
  static current<T extends typeof Resource>(this: T) {
    return this.detail().extend({ url: () => '/current' });
  }
}

export class Me extends Resource {
  id = '';
  pk() {
    return this.id;
  }
  static urlRoot = '/me';
  static useFetchInit(init: RequestInit) {
    return { ...init, headers: { Authorization: useToken() } };
  }
}
