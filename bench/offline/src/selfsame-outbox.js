import { Controller, Entity } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { createResource } from '@selfsame/core/rest'
import { counted, until, wait, writtenRows } from './page.js'

class Issue extends Entity {
  static key = 'Issue'
}

let answered = 0
const issues = createResource({
  urlPrefix: 'http://issues.test',
  path: '/issue/:id',
  schema: Issue,
  optimistic,
})

const listeners = new Set()
let isOnline = false
const network = {
  isOnline: () => isOnline,
  subscribe: (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

const controller = new Controller({
  fetch: async (_url, { body }) => {
    await wait(5)
    answered++
    return Response.json(JSON.parse(body))
  },
  middleware: [outbox({ endpoints: [issues], network })],
})

globalThis.steps = {
  written: writtenRows,
  queue: (size) =>
    counted(async () => {
      await outboxOf(controller).written()
      for (let id = 1; id <= size; id++) controller.setResponse(issues.get, { id }, { id, title: 'Issue' })
      const from = performance.now()
      for (let id = 1; id <= size; id++)
        controller.fetch(issues.partialUpdate, { id }, { id, title: 'Changed' }).catch(() => {})
      await outboxOf(controller).written()
      return { queue: performance.now() - from }
    }),
  send: (size) =>
    counted(async () => {
      const from = performance.now()
      isOnline = true
      for (const listener of listeners) listener()
      await until(() => answered === size && outboxOf(controller).mutations.length === 0)
      return { send: performance.now() - from }
    }),
}
