import { PiniaColada, useQueryCache } from '@pinia/colada'
import { createPinia } from 'pinia'
import { computed, createSSRApp, effectScope, watch } from 'vue'

const listKey = ['issues']
const detailKey = (id) => ['issue', id]

/** The next response of the server. */
let answer
const issuesOptions = { key: listKey, query: async () => JSON.parse(answer), gcTime: false, staleTime: 0 }

/** The query cache of an application, and the effect scope of its components. */
class Application {
  #app = createSSRApp({ render: () => null })
  scope = effectScope(true)

  constructor() {
    const pinia = createPinia()
    this.#app.use(pinia)
    this.#app.use(PiniaColada, {})
    this.cache = this.#app.runWithContext(() => useQueryCache(pinia))
  }

  /** Runs the setup of a component. */
  setUp(setup) {
    return this.#app.runWithContext(() => this.scope.run(setup))
  }
}

const listEntry = ({ cache }) => cache.ensure(issuesOptions)
const readList = ({ cache }) => cache.getQueryData(listKey)

/** @type {import('./adapter.mjs').Adapter<Application>} */
export const adapter = {
  missing: { cycle: 'It does not join records.' },
  notes: {
    E: 'The list is mapped by hand.',
    E2: 'The list is mapped by hand, by the id of the user in each issue.',
    F: 'Each reader has a query of its own, filled from the list; both are changed by hand.',
  },
  create: () => new Application(),
  close: ({ scope }) => scope.stop(),
  ingest(application, text) {
    answer = text
    return application.cache.fetch(listEntry(application))
  },
  push: ({ cache }, text) => cache.setQueryData(listKey, JSON.parse(text)),
  readList,
  openList(application) {
    const { state } = listEntry(application)
    return () => state.value.data
  },
  watchList: (application, callback) =>
    application.setUp(() => {
      const { state } = listEntry(application)
      return watch(() => state.value.data, callback, { flush: 'sync' })
    }),
  changeIssue({ cache }, text) {
    const issue = JSON.parse(text)
    cache.setQueryData(listKey, (issues) => issues.map((known) => (known.id === issue.id ? issue : known)))
    if (cache.getQueryData(detailKey(issue.id)) !== undefined) cache.setQueryData(detailKey(issue.id), issue)
  },
  changeUser({ cache }, text) {
    const user = JSON.parse(text)
    cache.setQueryData(listKey, (issues) =>
      issues.map((issue) => (issue.user.id === user.id ? { ...issue, user } : issue)),
    )
  },
  prepareReaders(application) {
    for (const issue of readList(application)) application.cache.setQueryData(detailKey(issue.id), issue)
  },
  watchIssue: (application, id, callback) =>
    application.setUp(() => {
      const { state } = application.cache.ensure({ key: detailKey(id), query: async () => undefined })
      return watch(
        () => state.value.data,
        (issue) => callback(issue),
        { flush: 'sync' },
      )
    }),
  derive: (application, process) =>
    application.setUp(() => {
      const { state } = listEntry(application)
      const derived = computed(() => process(state.value.data))
      return { read: () => derived.value, countsRuns: true }
    }),
  writeUnrelated({ cache }, text) {
    cache.setQueryData(['notification'], JSON.parse(text))
  },
}
