import { Resource } from '@selfsame/core/legacy';
import type { EndpointExtraOptions } from '@selfsame/core/rest';

export abstract class Base extends Resource {
  static async fetch(method: string, url: string, body?: object) {
    const { data } = await super.fetch(method, url, body);
    return method === 'get' ? data : {};
  }
  static listShape<T extends typeof Resource>(this: T) {
    return { ...super.listShape(), getFetchKey: () => 'all' };
  }
  static deleteShape<T extends typeof Resource>(this: T) {
    return { ...super.deleteShape() };
  }
}

export class Todo extends Base {
  id = '';
  static urlRoot = '/todo';
  static getEndpointExtra(): EndpointExtraOptions {
    return { ...super.getEndpointExtra(), pollFrequency: 2500 };
  }
  static doneShape<T extends typeof Resource>(this: T) {
    const shape = this.detailShape();
    return shape;
  }
  static shownShape<T extends typeof Resource>(this: T) {
    return { ...this.detailShape(), schema: this, fetch: async (): Promise<Todo> => await this.fetch('get', '/shown') };
  }
}
