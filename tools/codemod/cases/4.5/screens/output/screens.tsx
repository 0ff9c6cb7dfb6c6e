import React, { Suspense, useEffect } from 'react';
import { useController, useSuspenseAll, useFetch, DataProvider, useCache } from '@selfsame/react';
import { TodoResource, todoResource, userResource } from './index';

export function TodoList({ userId }: { userId: number }) {
  const [{ results }, user] = useSuspenseAll([[todoResource.getList, { userId }], [userResource.get, { id: userId }]]);
  useFetch(userResource.getList, {});
  const cached = useCache(userResource.get, { id: 1 });
  const controller = useController();
  useEffect(() => {
    controller.fetch(todoResource.getList, { userId });
  }, [controller, userId]);
  return (
    <>
      <button onClick={() => controller.fetch(todoResource.create, { title: 'New' })}>Add</button>
      <button onClick={() => controller.invalidate(todoResource.getList, { userId })}>Again</button>
      <button onClick={() => controller.resetAll()}>Log out</button>
      {results.map((todo) => <Row key={todo.pk()} todo={todo} />)}
    </>
  );
}

function Row({ todo }: { todo: TodoResource }) {
  const controller = useController();
  return <button onClick={() => controller.fetch(todoResource.delete, { id: todo.id })}>{todo.title}</button>;
}

export const App = () => (
  <DataProvider>
    <Suspense fallback="Loading">
      <TodoList userId={1} />
    </Suspense>
  </DataProvider>
);
