import { useMutation } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { Article, ArticleSummary, Fields, Writing } from '../screen/library.js'
import { queries, request } from './declare.js'

export function useEdit(id: number): Writing<Fields, unknown> {
  const { queryKey } = queries.detail(id)
  const { mutateAsync, isPending, error } = useMutation({
    mutationKey: queries.articles,
    mutationFn: (fields: Fields) =>
      request<Article>(`/article/${id}?expand=author`, { method: 'PATCH', body: JSON.stringify(fields) }),
    onMutate: async (fields, { client }) => {
      await client.cancelQueries({ queryKey: queries.articles })
      const before = client.getQueryData(queryKey)
      if (before) showArticle(client, { ...before, ...fields })
      return before
    },
    onSuccess: (article, _fields, _before, { client }) => showArticle(client, article),
    onError: (_error, _fields, before, { client }) => before && showArticle(client, before),
    // Of several concurrent edits, only the last one to settle refetches the lists.
    onSettled: (_article, _error, _fields, _before, { client }) =>
      client.isMutating({ mutationKey: queries.articles }) === 1
        ? client.invalidateQueries({ queryKey: queries.lists })
        : undefined,
  })
  return { run: mutateAsync, isPending, error }
}

/** Updates an article wherever it is cached: in its own query, and in every list. */
export function showArticle(client: QueryClient, article: Article): void {
  const { id, title, createdAt, author } = article
  const summary: ArticleSummary = { id, title, createdAt, author }
  client.setQueryData(queries.detail(id).queryKey, (old) => old && article)
  client.setQueriesData<readonly ArticleSummary[]>({ queryKey: queries.lists }, (list) =>
    list?.map((other) => (other.id === id ? summary : other)),
  )
}
