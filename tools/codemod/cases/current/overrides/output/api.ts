import { Entity } from '@selfsame/core';

export class Todo extends Entity {
  id = '';
  override pk() {
    return this.id;
  }
  static override key = 'Todo';
}
