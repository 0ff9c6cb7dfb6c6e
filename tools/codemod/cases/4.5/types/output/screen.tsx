import type { ReadEndpoint, ArgsOf } from '@selfsame/core';
import { toEndpoint } from '@selfsame/core/legacy';
import { useDLE } from '@selfsame/react';
import { Todo } from './api';

export type Params<E extends ReadEndpoint> = ArgsOf<E>[0];

export function Screen() {
  const { data, loading, error } = useDLE(toEndpoint(Todo.detailShape()) as ReadEndpoint, { id: 'a' });
  return <p>{loading ? '…' : error ? error.message : data.id}</p>;
}
