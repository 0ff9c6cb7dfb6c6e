import { toEndpoint } from '@selfsame/core/legacy';
import { useSuspense, useCache, useSubscription } from '@selfsame/react';
import { useCache as useShapeCache, useFetcher, useResource } from '@selfsame/react/legacy';
import { File, todoResource } from './api';
import { Elsewhere } from 'elsewhere';

export function Screen({ id }) {
  const todo = useSuspense(todoResource.get, { id });
  const known = useCache(todoResource.get, { id });
  const file = useResource(File.detailShape(), { id });
  const cached = useShapeCache(File.detailShape(), { id });
  const other = useShapeCache(Elsewhere.detailShape(), { id });
  const save = useFetcher(File.updateShape());
  useSubscription(todoResource.getList, {});
  useSubscription(toEndpoint(File.listShape()), {});
  useSubscription(toEndpoint(Elsewhere.listShape()), {});
  return [todo, known, file, cached, other, save];
}
