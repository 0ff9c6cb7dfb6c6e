import { PiniaColada, useQuery, useQueryCache } from '@pinia/colada'
import { createPinia } from 'pinia'
import { computed, createApp as createVueApp } from 'vue'
import { mostDiscussed } from '../../../src/data.mjs'
import { createAppOfLists } from '../vue/app.js'

/** The response to the next request. */
let answer = ''

const query = async () => JSON.parse(answer)
const issuesQuery = { key: ['issues'], query, staleTime: Infinity, refetchOnWindowFocus: false }

const useIssues = () => useQuery(issuesQuery).data

export function createApp() {
  const pinia = createPinia()
  // The cache of a pinia needs an app. Each mount creates another app with the same pinia.
  createVueApp({}).use(pinia).use(PiniaColada)
  const cache = useQueryCache(pinia)

  return createAppOfLists({
    store: {
      async ingest(text) {
        answer = text
        await cache.fetch(cache.ensure(issuesQuery))
      },
      async changeIssue(text) {
        const changes = JSON.parse(text)
        cache.setQueryData(['issues'], (issues) =>
          issues.map((issue) => (issue.id === changes.id ? { ...issue, ...changes } : issue)),
        )
      },
      async changeUser(text) {
        const user = JSON.parse(text)
        cache.setQueryData(['issues'], (issues) =>
          issues.map((issue) => (issue.user.id === user.id ? { ...issue, user } : issue)),
        )
      },
      async writeUnrelated(text) {
        cache.setQueryData(['notification'], JSON.parse(text))
      },
      close() {},
    },
    install: (app) => app.use(pinia).use(PiniaColada),
    useIssues,
    useDiscussed() {
      const issues = useIssues()
      return computed(() => mostDiscussed(issues.value))
    },
    useIssue(id) {
      const issues = useIssues()
      return computed(() => issues.value.find((issue) => issue.id === id()))
    },
  })
}
