import { AsyncBoundary, DataProvider, useController, useQuery, useSuspense, useLoading } from '@selfsame/react';
import { Todo, TodoResource, openTodos } from './api';

const ErrorText = ({ error }: { error: Error }) => <pre>{error.message}</pre>;

export function TodoDetail({ id }: { id: number }) {
  const todo = useSuspense(TodoResource.get, { id });
  const open = useQuery(openTodos);
  const ctrl = useController();
  const {
    run: save,
    loading: isSaving,
    error,
  } = useLoading(
    (title: string) => ctrl.fetch(TodoResource.partialUpdate, { id }, { title }),
  );
  return (
    <>
      <input defaultValue={todo.title} onBlur={event => save(event.target.value)} disabled={isSaving} />
      <button onClick={() => ctrl.fetch(TodoResource.getList.push, { title: 'New' })}>Add</button>
      <button onClick={() => ctrl.resetAll()}>Log out</button>
    </>
  );
}

export const App = () => (
  <DataProvider>
    <AsyncBoundary fallback="Loading" errorFallback={ErrorText}>
      <TodoDetail id={5} />
    </AsyncBoundary>
  </DataProvider>
);
