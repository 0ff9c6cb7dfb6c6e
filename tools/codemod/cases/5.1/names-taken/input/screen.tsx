import { useSuspense } from 'rest-hooks';
import { Todo, User } from './api';

jest.mock('rest-hooks');
const lazy = import('@rest-hooks/legacy');

export function Screen({ todoResource }) {
  const todo = useSuspense(Todo.detail(), { id: todoResource.id });
  const user = useSuspense(User.detail(), { id: 1 });
  return todo.id + user.id;
}
