import { Base, Enveloped } from './Base';

export class Todo extends Base {
  readonly title: string = '';
  static urlRoot = 'https://api.example.com/todo';
}

export class File extends Enveloped {
  readonly name: string = '';
  static urlRoot = 'https://api.example.com/file';
}
