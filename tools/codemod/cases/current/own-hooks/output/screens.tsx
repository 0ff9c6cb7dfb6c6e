import { useLoading } from '@selfsame/react';
import { save } from './api';
import { useMutate, useSearch } from './hooks';

export function Form({ text }: { text: string }) {
  const {
    run: update,
    loading: isLoading
  } = useMutate(save);
  const {
    value: search
  } = useSearch(text);
  const state = useLoading(() => update({ search }));
  return <button disabled={isLoading} onClick={state[0]} />;
}
