import React, { useCallback, useEffect } from 'react';
import { useCache, useController, useFetcher, useResource, useSuspense } from 'rest-hooks';
import { Todo, User } from './api';

export function TodoDetail({ id }: { id: number }) {
  const todo = useSuspense(Todo.detail(), { id });
  const { fetch } = useController();
  return <h1>{todo.title}</h1>;
}

export function TodoList({ userId }: { userId: number }) {
  const { results } = useSuspense(Todo.list(), { userId });
  const user = useCache(User.detail(), { id: userId });
  const ctrl = useController();
  const add = (title: string) => ctrl.fetch(Todo.create(), {}, { title });
  return (
    <ul onClick={() => ctrl.invalidate(Todo.list(), { userId })}>
      {results.map((todo: Todo) => (
        <li key={todo.pk()}>{todo.label}</li>
      ))}
    </ul>
  );
}

export function TodoForm({ id }: { id: number }) {
  const todo = useResource(Todo.detail(), { id });
  const update = useFetcher(Todo.partialUpdate());
  const save = useCallback((title: string) => update({ id }, { title }), [id, update]);
  useEffect(() => {
    save(todo.title.trim());
  }, [save]);
  return null;
}
