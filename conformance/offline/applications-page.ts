import { Controller, Entity } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { persist, persisted } from '@selfsame/core/persist'
import { createResource } from '@selfsame/core/rest'
import { syncTabs } from '@selfsame/core/tabs'
import type { OfflinePage } from './page.js'

/** A page of one of several applications, with one of several resources of one class. */

class Todo extends Entity {
  id: number | string = 0
  title = ''
  static override key = 'Todo'
}

const given = new URLSearchParams(location.search)
/** The prefix of a parameter, without its slash. */
const prefixIn = (parameter: string) => (given.has(parameter) ? `/${given.get(parameter)}` : '')
const urlPrefix = prefixIn('prefix')
const resourceAt = (path: string) =>
  createResource({ urlPrefix, path: `/${path}/:id`, schema: Todo, optimistic })

/** `listed`: the resources that the page knows, in their order; the first one is used. */
const [used = resourceAt('todo'), ...others] = (given.get('listed') ?? 'todo').split(',').map(resourceAt)
const endpoints = given.has('reversed') ? [...others, used] : [used, ...others]
const name = given.get('name') ?? undefined

const controller = new Controller({
  middleware: [
    outbox({
      endpoints,
      name,
      delayMs: () => 50,
      prefixAliases: given.has('old') ? { [prefixIn('old')]: urlPrefix } : {},
    }),
    persist({ name }),
    syncTabs({ endpoints, name }),
  ],
})
const box = outboxOf(controller)
const warnings: string[] = []
const { warn } = console
console.warn = (text: string) => {
  warnings.push(text)
  warn(text)
}

const page = {
  ready: async () => {
    await Promise.all([box.ready, persisted(controller).ready])
  },
  kept: async () => {
    await Promise.all([box.written(), persisted(controller).flush()])
  },
  load: async () => {
    await controller.fetch(used.getList)
  },
  shown: () => (controller.read(used.getList).data ?? []).map(({ id, title }) => [id, title] as const),
  create: (title: string) => {
    controller.fetch(used.create, { title } as never).catch(() => {})
    return controller.read(used.getList).data?.at(-1)?.id
  },
  edit: (id: number | string, title: string) => {
    controller.fetch(used.partialUpdate, { id } as never, { title }).catch(() => {})
  },
  mutations: () =>
    box.mutations.map(({ endpoint, status, reason, isWritten, isKnown }) => ({
      endpoint,
      status,
      reason,
      isWritten,
      isKnown,
    })),
  drop: () => box.drop(),
  warnings,
} satisfies Partial<OfflinePage>

Object.assign(window, { page })
