import React, { useCallback, useEffect } from 'react';
import { useController, useSuspense, useCache } from '@selfsame/react';
import { Todo, todoResource, userResource } from './api';

export function TodoDetail({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id });
  const { fetch } = useController();
  return <h1>{todo.title}</h1>;
}

export function TodoList({ userId }: { userId: number }) {
  const { results } = useSuspense(todoResource.getList, { userId });
  const user = useCache(userResource.get, { id: userId });
  const ctrl = useController();
  const add = (title: string) => ctrl.fetch(todoResource.create, {}, { title });
  return (
    <ul onClick={() => ctrl.invalidate(todoResource.getList, { userId })}>
      {results.map((todo: Todo) => (
        <li key={todo.pk()}>{todo.label}</li>
      ))}
    </ul>
  );
}

export function TodoForm({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id });
  const controller = useController();
  const save = useCallback((title: string) => controller.fetch(todoResource.partialUpdate, { id }, { title }), [id, controller]);
  useEffect(() => {
    save(todo.title.trim());
  }, [save]);
  return null;
}
