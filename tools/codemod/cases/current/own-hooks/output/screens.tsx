import type { NetworkError } from '@selfsame/core/rest';
import { useDLE, useLoading } from '@selfsame/react';
import { save } from './api';
import { useMutate, useSearch } from '~hooks';

export function Form({ text }: { text: string }) {
  const {
    run: update,
    loading: isLoading
  } = useMutate(save);
  const {
    value: search
  } = useSearch(text);
  const { data, error } = useDLE(save);
  if (error) return <p>{(error as Partial<NetworkError>).status} {error.message} {(error as Partial<NetworkError> | undefined)?.response?.statusText}</p>;
  const state = useLoading(() => update({ search }));
  return <button disabled={isLoading} onClick={state[0]} />;
}
