import { Resource } from 'rest-hooks';

export default class TodoResource extends Resource {
  readonly id: number | undefined = undefined;
  readonly userId: number = 0;
  readonly title: string = '';
  readonly createdAt: Date = new Date(0);

  pk() {
    return this.id?.toString();
  }

  static urlRoot = 'https://api.example.com/todo';
  static schema = { createdAt: Date };

  static listShape<T extends typeof Resource>(this: T) {
    return {
      ...super.listShape(),
      schema: { results: [this.asSchema()], nextPage: '', prevPage: '' },
      options: { dataExpiryLength: 5000 },
    };
  }
}
