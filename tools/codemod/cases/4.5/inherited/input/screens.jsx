import { useCache, useFetcher, useResource, useSubscription } from 'rest-hooks';
import { File, Todo } from './api';
import { Elsewhere } from 'elsewhere';

export function Screen({ id }) {
  const todo = useResource(Todo.detailShape(), { id });
  const known = useCache(Todo.detailShape(), { id });
  const file = useResource(File.detailShape(), { id });
  const cached = useCache(File.detailShape(), { id });
  const other = useCache(Elsewhere.detailShape(), { id });
  const save = useFetcher(File.updateShape());
  useSubscription(Todo.listShape(), {});
  useSubscription(File.listShape(), {});
  useSubscription(Elsewhere.listShape(), {});
  return [todo, known, file, cached, other, save];
}
