import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { SWRConfig, useSWRConfig } from 'swr'
import { memoize } from './adapter.mjs'

const listKey = '/issues'

/** A cache and its bound `mutate`, as a component gets them. */
function createCache() {
  const given = {}
  const Taker = () => void Object.assign(given, useSWRConfig())
  renderToString(createElement(SWRConfig, { value: { provider: () => new Map() } }, createElement(Taker)))
  const { cache, mutate } = given
  return { cache, mutate }
}

const readList = ({ cache }) => cache.get(listKey).data
const inHook = 'Its hook does this, and needs React: see rendering.'
const quietly = { revalidate: false }

/** @type {import('./adapter.mjs').Adapter<ReturnType<typeof createCache>>} */
export const adapter = {
  missing: {
    B: 'Its hook compares the answers of polling, and needs React.',
    F: inHook,
    cycle: 'It does not join records.',
  },
  notes: {
    E: 'The list is mapped by hand.',
    E2: 'The list is mapped by hand, by the id of the user in each issue.',
    G: 'It derives nothing; the function is memoized by the list, as `useMemo` does.',
  },
  create: createCache,
  ingest: ({ mutate }, text) => mutate(listKey, (async () => JSON.parse(text))(), quietly),
  push: ({ mutate }, text) => mutate(listKey, JSON.parse(text), quietly),
  readList,
  changeIssue({ mutate }, text) {
    const issue = JSON.parse(text)
    return mutate(
      listKey,
      (issues) => issues.map((known) => (known.id === issue.id ? issue : known)),
      quietly,
    )
  },
  changeUser({ mutate }, text) {
    const user = JSON.parse(text)
    const change = (issues) => issues.map((issue) => (issue.user.id === user.id ? { ...issue, user } : issue))
    return mutate(listKey, change, quietly)
  },
  derive(store, process) {
    const derived = memoize(process)
    return { read: () => derived(readList(store)), countsRuns: true }
  },
  writeUnrelated: ({ mutate }, text) => mutate('/notification', JSON.parse(text), quietly),
}
