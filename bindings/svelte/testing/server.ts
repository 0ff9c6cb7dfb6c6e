import { ManualClock } from '@selfsame/conformance/clock'
import { createApi, routeSamples } from '@selfsame/conformance/fixtures'
import { Server } from '@selfsame/conformance/server'
import type { Api } from '@selfsame/conformance'
import { Controller } from '@selfsame/core'
import { callsOf } from '@selfsame/core/bindings'
import { render } from 'svelte/server'
import {
  useCache,
  useDLE,
  useFetch,
  useLast,
  useLive,
  useProgress,
  useQuery,
  useStatus,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from '../src/index.js'
import ServerHook from './ServerHook.svelte'
import ServerPage from './ServerPage.svelte'

/** The count of timers of one fetch: the Controller sets one for garbage collection. */
export const timersOfFetch = 1

/** Fetches the data of a page, and renders it. */
export async function renderFetched() {
  const { api, clock, controller, server } = open()
  await controller.fetch(api.shortLived, { id: 5 })
  const { body: html } = render(ServerPage, { props: { api, controller } })
  const rows = [...callsOf(controller).store.results.values()].flat()
  return {
    html,
    listeners: rows.reduce((count, row) => count + row.listeners.length, 0),
    retainers: rows.reduce((count, row) => count + row.retainers, 0),
    requests: server.requests,
    timers: clock.timers,
  }
}

/** Calls of each hook; some of them do not read the result. */
const hooks = {
  'useSuspense, unread': ({ todo }) => {
    useSuspense(todo, () => ({ id: 5 }))
    return () => 'nothing'
  },
  'useSuspense, pending': ({ todo }) => {
    const handle = useSuspense(todo, { id: 5 })
    return () => (handle.pending ? 'pending' : handle.current.title)
  },
  'useSuspenseAll, unread': ({ todo }) => {
    useSuspenseAll([[todo, () => ({ id: 5 })]])
    return () => 'nothing'
  },
  'useLive, unread': ({ polled }) => {
    useLive(polled, { id: 5 })
    return () => 'nothing'
  },
  'useFetch of values': ({ todo }) => {
    useFetch(todo, { id: 5 })
    return () => 'nothing'
  },
  'useFetch of getters': ({ todo }) => {
    useFetch(todo, () => ({ id: 5 }))
    return () => 'nothing'
  },
  useDLE: ({ todo }) => {
    const handle = useDLE(todo, { id: 5 })
    return () => `${handle.loading} ${handle.data?.title} ${handle.error}`
  },
  useCache: ({ todo }) => {
    const handle = useCache(todo, { id: 5 })
    return () => `${handle.pending} ${handle.current?.title}`
  },
  useQuery: ({ todo }) => {
    const handle = useQuery(todo.schema, { id: 5 })
    return () => handle.current?.title
  },
  useLast: ({ todo }) => {
    const handle = useLast(todo, { id: 5 })
    return () => `${handle.loading} ${handle.data?.title}`
  },
  useStatus: ({ todo }) => {
    const handle = useStatus(todo, { id: 5 })
    return () => `${handle.current.fetching} ${handle.current.stale}`
  },
  useProgress: ({ todo }) => {
    const handle = useProgress(todo, { id: 5 })
    return () => handle.current
  },
  useSubscription: ({ polled }) => {
    useSubscription(polled, { id: 5 })
    return () => 'nothing'
  },
} satisfies Record<string, (endpoints: ReturnType<typeof endpointsOf>) => () => unknown>

function endpointsOf({ todo, shortLived }: Api) {
  return { todo: shortLived, polled: todo.get.extend({ pollFrequency: 5000 }) }
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve, 0))

/** Renders a hook on a server. Returns the text, and the requests, subscriptions and timers that it leaves behind. */
export async function renderHook(name: keyof typeof hooks, state: 'empty' | 'Stale' = 'empty') {
  const { api, clock, controller, server } = open()
  const endpoints = endpointsOf(api)
  if (state === 'Stale') {
    await controller.fetch(endpoints.todo, { id: 5 })
    clock.advance(60_000)
  }
  const before = { requests: server.requests.length, timers: clock.timers }
  const { body } = render(ServerHook, { props: { controller, setup: () => hooks[name](endpoints) } })
  const timers = clock.timers - before.timers
  // Requests are sent in a later task.
  await nextTask()
  const rows = [...callsOf(controller).store.results.values()].flat()
  return {
    text: body.replace(/<[^>]*>/g, ''),
    requests: server.requests.slice(before.requests),
    listeners: rows.reduce((count, row) => count + row.listeners.length, 0),
    retainers: rows.reduce((count, row) => count + row.retainers, 0),
    timers,
  }
}

/** Renders a page whose data was not fetched. */
export async function renderUnfetched(): Promise<string> {
  const { api, controller } = open()
  return render(ServerPage, { props: { api, controller } }).body
}

export function open() {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  return { api: createApi(server), clock, controller: new Controller({ clock }), server }
}
