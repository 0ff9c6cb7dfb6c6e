import { useSuspense } from '@selfsame/react';
import { Base, todoResource, urgentTodoResource, userResource } from './api';

export function Screen({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id });
  const { results } = useSuspense(urgentTodoResource.getList, {});
  const user = useSuspense(userResource.get, { id });
  return <p>{[Base.label(id), todo.title, user.name, ...results.map((one) => one.due)]}</p>;
}
