import { Resource } from '@rest-hooks/rest';

export class Todo extends Resource {
  readonly id: number = 0;
  readonly title: string = '';

  pk() {
    return `${this.id}`;
  }

  static urlRoot = '/todo';

  static create<T extends typeof Resource>(this: T) {
    return super.create().extend({
      schema: this,
      optimisticUpdate: (params: any, body: any) => body,
    });
  }

  static partialUpdate<T extends typeof Resource>(this: T) {
    return super.partialUpdate().extend({
      schema: this,
      optimisticUpdate(params: any, body: any) {
        return { id: params.id, ...body };
      },
    });
  }
}
