import type { Middleware } from '@selfsame/core'
import { outboxOf } from '@selfsame/core/outbox'

export function onSessionOver(toSignIn: () => void): Middleware {
  return (controller) => {
    // When the Controller is made, its outbox is there.
    queueMicrotask(() => {
      const box = outboxOf(controller)
      box.subscribe(() => {
        if (box.mutations.some(({ reason }) => reason === 'session')) toSignIn()
      })
    })
    return {
      after(action) {
        if (action.type !== 'error') return
        const { status } = action.error as { status?: unknown }
        if (status === 401) toSignIn()
      },
    }
  }
}
