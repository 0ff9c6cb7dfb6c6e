import { useController, useLoading } from '@selfsame/react'
import type { Fields, Writing } from '../screen/library.js'
import { articleResource } from './declare.js'

export function useEdit(id: number): Writing<Fields, unknown> {
  const controller = useController()
  const {
    run,
    loading: isPending,
    error,
  } = useLoading((fields: Fields) => controller.fetch(articleResource.partialUpdate, { id }, fields))
  return { run, isPending, error }
}
