import React, { Suspense, useEffect } from 'react';
import {
  CacheProvider,
  useCache,
  useFetcher,
  useInvalidator,
  useResetter,
  useResource,
  useRetrieve,
} from 'rest-hooks';
import { TodoResource, UserResource } from './index';

export function TodoList({ userId }: { userId: number }) {
  const [{ results }, user] = useResource(
    [TodoResource.listShape(), { userId }],
    [UserResource.detailShape(), { id: userId }],
  );
  useRetrieve(UserResource.listShape(), {});
  const cached = useCache(UserResource.detailShape(), { id: 1 });
  const create = useFetcher(TodoResource.createShape());
  const refresh = useFetcher(TodoResource.listShape());
  const invalidate = useInvalidator(TodoResource.listShape());
  const reset = useResetter();
  useEffect(() => {
    refresh({ userId });
  }, [refresh, userId]);
  return (
    <>
      <button onClick={() => create({}, { title: 'New' })}>Add</button>
      <button onClick={() => invalidate({ userId })}>Again</button>
      <button onClick={() => reset()}>Log out</button>
      {results.map((todo) => <Row key={todo.pk()} todo={todo} />)}
    </>
  );
}

function Row({ todo }: { todo: TodoResource }) {
  const remove = useFetcher(TodoResource.deleteShape());
  return <button onClick={() => remove({ id: todo.id }, undefined)}>{todo.title}</button>;
}

export const App = () => (
  <CacheProvider>
    <Suspense fallback="Loading">
      <TodoList userId={1} />
    </Suspense>
  </CacheProvider>
);
