import { useStatefulResource } from '@rest-hooks/legacy';
import { EndpointParam, ReadEndpoint } from '@rest-hooks/rest';
import { Todo } from './api';

export type Params<E extends ReadEndpoint<any, any>> = EndpointParam<E>;

export function Screen() {
  const { data, loading, error } = useStatefulResource(Todo.detailShape(), { id: 'a' });
  return <p>{loading ? '…' : error ? error.message : data.id}</p>;
}
