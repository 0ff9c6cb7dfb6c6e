import { toEndpoint } from '@selfsame/core/legacy';
import { useSuspense, useCache, useSubscription } from '@selfsame/react';
import { useCache as useShapeCache, useFetcher } from '@selfsame/react/legacy';
import { File, todoResource, fileResource } from './api';
import { Elsewhere } from 'elsewhere';

export function Screen({ id }) {
  const todo = useSuspense(todoResource.get, { id });
  const known = useCache(todoResource.get, { id });
  const file = useSuspense(fileResource.get, { id });
  const cached = useCache(fileResource.get, { id });
  const other = useShapeCache(Elsewhere.detailShape(), { id });
  const save = useFetcher(File.updateShape());
  useSubscription(todoResource.getList, {});
  useSubscription(fileResource.getList, {});
  useSubscription(toEndpoint(Elsewhere.listShape()), {});
  return [todo, known, file, cached, other, save];
}
