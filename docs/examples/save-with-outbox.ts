import { SelfsameError } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { outboxOf } from '@selfsame/core/outbox'
import { todoResource } from './api.js'

export function saveTitle(
  controller: Controller,
  { id, title }: { id: number; title: string },
  showError: (error: Error) => void,
) {
  // Without `await`: it may be answered tomorrow, or after a reload.
  controller
    .fetch(todoResource.partialUpdate, { id }, { title })
    .catch((error: Error) => {
      const isReset =
        error instanceof SelfsameError && error.code === 'hard-reset'
      if (!isReset) showError(error)
    })
}

/** @param showError - returns `false` if the form is no longer on screen */
export function saveNew(
  controller: Controller,
  title: string,
  showError: (error: Error) => boolean,
) {
  controller.fetch(todoResource.create, { title }).catch((error: Error) => {
    // The form keeps the text, so the outbox does not have to.
    if (!showError(error)) return
    const box = outboxOf(controller)
    const kept = box.mutations.find((mutation) => mutation.error === error)
    if (kept !== undefined) void box.drop(kept.id)
  })
}
