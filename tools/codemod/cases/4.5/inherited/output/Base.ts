import { Resource } from '@selfsame/core/legacy';
import { RestEndpoint } from '@selfsame/core/rest';
import type { RestOptions } from '@selfsame/core/rest';

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

export class EnvelopedEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
  override async parseResponse(response: Response): Promise<unknown> {
    return (await (super.parseResponse(response) as Promise<any>)).data;
  }
}
