import { useController, useLoading } from '@selfsame/react'
import type { Writing } from '../screen/library.js'
import { articleResource } from './declare.js'

export function useDelete(id: number): Writing<void, unknown> {
  const controller = useController()
  const {
    run,
    loading: isPending,
    error,
  } = useLoading(() => controller.fetch(articleResource.delete, { id }))
  return { run, isPending, error }
}
