// undo.ts
import { Entity } from '@selfsame/core'
import type { Controller, Middleware } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'

export class Task extends Entity {
  id = 0
  title = ''
  static override key = 'Task'
}

export const taskResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/task/:id',
  schema: Task,
  optimistic,
})

// By signal of a mutation, one that is aborted when its notice is closed.
const notices = new WeakMap<AbortSignal, AbortSignal>()

export const afterNotice: Middleware = () => ({
  passesOn: true,
  async request({ endpoint: { signal } }, next) {
    const closed = signal && notices.get(signal)
    if (closed && !closed.aborted) {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        closed.addEventListener('abort', () => resolve())
      })
    }
    return next()
  },
})

export function removeTask(controller: Controller, id: number) {
  const undone = new AbortController()
  const closed = new AbortController()
  notices.set(undone.signal, closed.signal)
  const removal = taskResource.delete.extend({ signal: undone.signal })
  return {
    removed: controller.fetch(removal, { id }),
    undo: () => undone.abort(),
    close: () => closed.abort(),
  }
}

export function renameTask(controller: Controller, id: number, title: string) {
  const before = controller.get(Task, { id })?.title ?? ''
  const rename = (to: string) =>
    controller.fetch(taskResource.partialUpdate, { id }, { title: to })
  return { renamed: rename(title), undo: () => rename(before) }
}
