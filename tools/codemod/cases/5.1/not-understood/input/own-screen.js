import { useController, useFetcher, useSuspense } from 'rest-hooks'
import ArticleResource from './own'

export function Screen() {
  const article = useSuspense(ArticleResource.detail(), { id: 'a' })
  const current = useSuspense(ArticleResource.current(), {})
  const remove = useFetcher(ArticleResource.delete())
  const create = useFetcher(ArticleResource.create())
  return [() => remove({ id: 'a' }), () => create({}, { title: 'x' })]
}
