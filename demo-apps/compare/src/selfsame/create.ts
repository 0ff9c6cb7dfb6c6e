import { useController, useLoading } from '@selfsame/react'
import type { NewArticle, Writing } from '../screen/library.js'
import { articleResource } from './declare.js'

export function useCreate(): Writing<NewArticle, { readonly id: number } | null> {
  const controller = useController()
  const {
    run,
    loading: isPending,
    error,
  } = useLoading((article: NewArticle) => controller.fetch(articleResource.create, article))
  return { run, isPending, error }
}
