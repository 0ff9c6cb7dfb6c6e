import { Controller, Entity, schema } from '@selfsame/core'
import { persist, persisted } from '@selfsame/core/persist'
import { RestEndpoint } from '@selfsame/core/rest'
import { counted, listOf, pageLength, untilStored, writtenRows } from './page.js'

class User extends Entity {
  static key = 'User'
}
class Issue extends Entity {
  static key = 'Issue'
  static schema = { user: User }
}
const getList = new RestEndpoint({ path: '/issue/:page', schema: new schema.Array(Issue), name: 'getList' })

const open = () =>
  new Controller({
    // Nothing is requested: what is measured is the storage.
    fetch: () => new Promise(() => {}),
    middleware: [persist({ maxRecords: 100_000 })],
  })

let controller

function receive(size) {
  controller.batch(() => {
    for (let page = 0; page < size / pageLength; page++)
      controller.setResponse(getList, { page }, listOf(page))
  })
}

globalThis.steps = {
  quiet: () => counted(untilStored),
  written: writtenRows,
  fill: (size) =>
    counted(async () => {
      controller = open()
      await persisted(controller).ready
      receive(size)
      await untilStored()
    }),
  // The same without persist().
  receive: (size) =>
    counted(async () => {
      controller = new Controller({ fetch: () => new Promise(() => {}) })
      receive(size)
      await untilStored()
    }),
  change: () =>
    counted(async () => {
      controller.set(Issue, { id: 7 }, { title: 'Changed' })
      await untilStored()
    }),
  start: async () => {
    const from = performance.now()
    controller = open()
    const first = new Promise((resolve) => {
      controller.subscribe(getList, { page: 0 }, ({ data }) => {
        if (data?.length === pageLength) resolve(performance.now() - from)
      })
    })
    controller.fetch(getList, { page: 0 }).catch(() => {})
    const firstMs = await first
    await persisted(controller).ready
    return { first: firstMs, all: performance.now() - from }
  },
}
