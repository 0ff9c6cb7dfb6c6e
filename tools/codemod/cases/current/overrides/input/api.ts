import { Entity } from '@data-client/rest';

export class Todo extends Entity {
  id = '';
  pk() {
    return this.id;
  }
  static override key = 'Todo';
}
