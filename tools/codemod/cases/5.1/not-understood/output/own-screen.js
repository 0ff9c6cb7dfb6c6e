import { useController, useSuspense } from '@selfsame/react'
import { useFetcher } from '@selfsame/react/legacy'
import ArticleResource, { articleResource } from './own'

export function Screen() {
  const article = useSuspense(articleResource.get, { id: 'a' })
  const current = useSuspense(ArticleResource.current(), {})
  const controller = useController()
  const create = useFetcher(ArticleResource.create())
  return [() => controller.fetch(articleResource.delete, { id: 'a' }), () => create({}, { title: 'x' })]
}
