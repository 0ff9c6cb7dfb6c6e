import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Article, ArticleSummary, Filter, User } from '../screen/library.js'
import { urlPrefix } from '../url-prefix.js'
import { counts } from './setup.js'

export async function request<Data>(path: string, init?: RequestInit): Promise<Data> {
  const response = await counts.fetch(urlPrefix + path, init)
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
  return response.json() as Promise<Data>
}

export const queries = {
  articles: ['articles'],
  lists: ['articles', 'list'],
  list: (filter: Filter) =>
    queryOptions({
      queryKey: [...queries.lists, filter],
      queryFn: ({ signal }) => {
        const params = new URLSearchParams({ expand: 'author', q: filter.q ?? '' })
        if (filter.author !== undefined) params.set('author', String(filter.author))
        return request<readonly ArticleSummary[]>(`/article?${params}`, { signal })
      },
      placeholderData: keepPreviousData,
    }),
  detail: (id: number) =>
    queryOptions({
      queryKey: ['articles', 'detail', id],
      queryFn: ({ signal }) => request<Article>(`/article/${id}?expand=author`, { signal }),
    }),
  users: queryOptions({
    queryKey: ['users'],
    queryFn: ({ signal }) => request<readonly User[]>('/user', { signal }),
  }),
} as const
