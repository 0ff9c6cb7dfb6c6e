import { createResource } from '@selfsame/core/rest';
import { Base, Enveloped, EnvelopedEndpoint } from './Base';

export class Todo extends Base {
  readonly title: string = '';
  static urlRoot = 'https://api.example.com/todo';
}

export const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
});

export class File extends Enveloped {
  readonly name: string = '';
  static urlRoot = 'https://api.example.com/file';
}

export const fileResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/file/:id',
  schema: File,
  Endpoint: EnvelopedEndpoint,
});
