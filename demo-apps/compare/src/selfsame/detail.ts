import { useController, useDLE } from '@selfsame/react'
import type { Article, Reading } from '../screen/library.js'
import { articleResource } from './declare.js'

export function useArticle(id: number): Reading<Article> {
  const controller = useController()
  const { data, error } = useDLE(articleResource.get, { id })
  return { data, error, retry: () => controller.fetch(articleResource.get, { id }) }
}
