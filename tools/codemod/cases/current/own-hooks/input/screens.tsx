import { useDLE, useLoading } from '@data-client/react';
import { save } from './api';
import { useMutate, useSearch } from '~hooks';

export function Form({ text }: { text: string }) {
  const [update, isLoading] = useMutate(save);
  const [search] = useSearch(text);
  const { data, error } = useDLE(save);
  if (error) return <p>{error.status} {error.message} {error?.response?.statusText}</p>;
  const state = useLoading(() => update({ search }));
  return <button disabled={isLoading} onClick={state[0]} />;
}
