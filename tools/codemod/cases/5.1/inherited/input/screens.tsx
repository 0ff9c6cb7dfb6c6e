import { useSuspense } from 'rest-hooks';
import { Base, Todo, UrgentTodo, User } from './api';

export function Screen({ id }: { id: number }) {
  const todo = useSuspense(Todo.detail(), { id });
  const { results } = useSuspense(UrgentTodo.list(), {});
  const user = useSuspense(User.detail(), { id });
  return <p>{[Base.label(id), todo.title, user.name, ...results.map((one) => one.due)]}</p>;
}
