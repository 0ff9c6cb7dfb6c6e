import { Resource } from '@selfsame/core/legacy';
import { createResource } from '@selfsame/core/rest';
import { Manager } from '@rest-hooks/rest';
import { Resource as Base } from './own';

export class Plain extends Resource {
  id = '';
  pk() {
    return this.id;
  }
  static urlRoot = '/plain/';
}

export const plainResource = createResource({
  path: '/plain/:id',
  schema: Plain,
});

export class WithUrl extends Resource {
  id = '';
  pk() {
    return this.id;
  }
  static urlRoot = '/with-url';
  static url(params: { id: string }) {
    return `/special/${params.id}`;
  }
}

export class TwoKeys extends Resource {
  group = '';
  name = '';
  pk() {
    return [this.group, this.name].join();
  }
  static urlRoot = '/two-keys';
}

export class WithOwn extends Resource {
  id = '';
  pk() {
    return this.id;
  }
  static urlRoot = '/with-own';
  static current<T extends typeof Resource>(this: T) {
    return this.detail().extend({ url: () => '/current' });
  }
  static list<T extends typeof Resource>(this: T) {
    return super.list().extend({ fetch: () => Promise.resolve([]) });
  }
}

export const withOwnResource = createResource({
  path: '/with-own/:id',
  schema: WithOwn,
});

export class Below extends WithOwn {
  static urlRoot = '/below';
}

export class NotOurs extends Base {
  static urlRoot = '/not-ours';
}
