import { useSuspense } from '@selfsame/react';
import { useFetcher } from '@selfsame/react/legacy';
import { useMeta } from 'rest-hooks';
import { Plain, WithOwn, WithUrl, plainResource, withOwnResource } from './api';

export function Screen({ save, anything }) {
  const plain = useSuspense(plainResource.get, { id: 'a' });
  const special = useSuspense(WithUrl.detail(), { id: 'a' });
  const current = useSuspense(WithOwn.current(), {});
  const own = useSuspense(withOwnResource.get, { id: 'a' });
  const list = useSuspense(WithOwn.list(), {});
  const meta = useMeta(Plain.detail(), { id: 'a' });
  const create = useFetcher(Plain.create());
  anything(Plain);
  return <Form onSave={create} />;
}
