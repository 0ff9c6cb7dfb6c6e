import type { Controller } from '@selfsame/core'
import { todoResource } from './api.js'

export function saveTitle(
  controller: Controller,
  { id, title }: { id: number; title: string },
  showError: (error: Error) => void,
) {
  // Without `await`: it may be answered tomorrow, or after a reload.
  controller
    .fetch(todoResource.partialUpdate, { id }, { title })
    .catch(showError)
}
