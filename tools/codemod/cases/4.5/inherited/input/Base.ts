import { Resource } from 'rest-hooks';

export abstract class Base extends Resource {
  readonly id: string = '';

  pk() {
    return this.id;
  }
}

export abstract class Enveloped extends Base {
  static async fetch(method: string, url: string, body?: object) {
    return (await super.fetch(method, url, body)).data;
  }
}
