import { useMutation } from '@tanstack/react-query'
import type { Article, NewArticle, Writing } from '../screen/library.js'
import { queries, request } from './declare.js'

export function useCreate(): Writing<NewArticle, Article> {
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: (article: NewArticle) =>
      request<Article>('/article?expand=author', { method: 'POST', body: JSON.stringify(article) }),
    onSuccess: (article, _fields, _result, { client }) => {
      client.setQueryData(queries.detail(article.id).queryKey, article)
      return client.invalidateQueries({ queryKey: queries.lists })
    },
  })
  return { run: mutateAsync, isPending, error }
}
