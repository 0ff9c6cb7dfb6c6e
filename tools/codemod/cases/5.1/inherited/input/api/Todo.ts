import Base from './Base';

export class Todo extends Base {
  readonly title: string = '';
  static urlRoot = '/todo';
}

/** Another level. */
export class UrgentTodo extends Todo {
  readonly due: string = '';
  static urlRoot = '/urgent-todo';
}
