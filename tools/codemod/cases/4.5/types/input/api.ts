import {
  AbstractInstanceType,
  FetchOptions,
  Method,
  MutateShape,
  ReadShape,
  Resource,
  SchemaDetail,
  SchemaList,
  schemas,
} from 'rest-hooks';

export abstract class Base extends Resource {
  static async fetch(method: Method, url: string, body?: object) {
    const { data } = await super.fetch(method, url, body);
    return method === 'get' ? data : {};
  }
  static listShape<T extends typeof Resource>(this: T): ReadShape<SchemaList<AbstractInstanceType<T>>> {
    return { ...super.listShape(), getFetchKey: () => 'all' };
  }
  static deleteShape<T extends typeof Resource>(this: T): MutateShape<schemas.Delete<T>, object, unknown> {
    return { ...super.deleteShape() };
  }
}

export class Todo extends Base {
  id = '';
  static urlRoot = '/todo';
  static getFetchOptions(): FetchOptions {
    return { ...super.getFetchOptions(), pollFrequency: 2500 };
  }
  static doneShape<T extends typeof Resource>(this: T) {
    const shape: ReadShape<SchemaDetail<{ all: Todo[] }>> = this.detailShape();
    return shape;
  }
  static shownShape<T extends typeof Resource>(this: T): ReadShape<SchemaDetail<Todo>> {
    return { ...this.detailShape(), schema: this, fetch: async (): Promise<Todo> => await this.fetch('get', '/shown') };
  }
}
