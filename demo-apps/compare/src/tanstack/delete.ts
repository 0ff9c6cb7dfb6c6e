import { useMutation } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { Writing } from '../screen/library.js'
import { queries, request } from './declare.js'

export function useDelete(id: number): Writing<void, unknown> {
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: () => request(`/article/${id}`, { method: 'DELETE' }),
    onSuccess: (_answer, _nothing, _result, { client }) => forgetArticle(client, id),
  })
  return { run: mutateAsync, isPending, error }
}

export function forgetArticle(client: QueryClient, id: number): Promise<void> {
  client.removeQueries(queries.detail(id))
  return client.invalidateQueries({ queryKey: queries.lists })
}
