// The API of this application.
import { Resource } from '@rest-hooks/rest';
import type { AbstractInstanceType } from '@rest-hooks/rest';

const API = 'https://api.example.com';

export class User extends Resource {
  readonly id: number = 0;
  readonly name: string = '';

  pk() {
    return `${this.id}`;
  }

  static urlRoot = `${API}/user`;

  static get key() {
    return 'User';
  }
}

export class Todo extends Resource {
  readonly id: number | undefined = undefined;
  readonly title: string = '';
  readonly completed: boolean = false;
  readonly author: User | undefined = undefined;

  pk() {
    return this.id?.toString();
  }

  static urlRoot = 'https://api.example.com/todo';

  static schema = { author: User };

  static getEndpointExtra() {
    return { ...super.getEndpointExtra(), dataExpiryLength: 10_000 };
  }

  static list<T extends typeof Resource>(this: T) {
    return super.list().extend({
      schema: { results: [this], nextPage: '' },
    });
  }

  get label() {
    return this.completed ? `${this.title} ✓` : this.title;
  }
}

export type TodoFields = AbstractInstanceType<typeof Todo>;
