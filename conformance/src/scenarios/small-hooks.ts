import { Endpoint } from '@selfsame/core'
import { persist } from '@selfsame/core/persist'
import { pauseOffline } from '@selfsame/core/policies'
import { memoryStorage } from '@selfsame/core/storage'
import type { RowStorage } from '@selfsame/core/storage'
import type { MutationState } from '@selfsame/core'
import type { CallStatus, EndpointLike, CallState, Prefetching, RunState } from '@selfsame/core'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import { ManualNetwork } from '../surroundings.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import { scenarioOnEachPlatform } from './platforms.js'

const route = 'GET /todo/5'
const other = 'GET /todo/6'

const status = (reader: Reader) => shown(reader) as CallStatus
const last = (reader: Reader) => shown(reader) as CallState<Todo>

// useLast

scenario.everywhere(
  'hooks/last',
  'useLast goes on showing the data of the arguments before, and says so, until that of the new ones is there',
  async ({ api, mount, server, settle }) => {
    server.hold(route)
    const reader = await mount('useLast', api.todo.get, { id: 5 })
    expect(last(reader)).toEqual({ data: undefined, loading: true, error: undefined, isLast: false })
    server.release()
    await settle()
    expect(last(reader)).toMatchObject({ data: { title: 'Todo 5' }, loading: false, isLast: false })
    const { data } = last(reader)
    server.hold(other)
    await reader.change({ id: 6 })
    await settle()
    expect(last(reader)).toEqual({ data, loading: false, error: undefined, isLast: true })
    server.release()
    await settle()
    expect(last(reader)).toMatchObject({ data: { title: 'Todo 6' }, loading: false, isLast: false })
    expect(server.requests).toEqual([route, other])
  },
)

scenario.onReact18(
  'hooks/last/fails',
  'useLast shows the error of the new arguments, and not the last data beside it',
  async ({ api, mount, server, settle }) => {
    const reader = await mount('useLast', api.todo.get, { id: 5 })
    await settle()
    server.route(other, reply.status(404))
    await reader.change({ id: 6 })
    await settle()
    expect(last(reader)).toMatchObject({
      data: undefined,
      loading: false,
      error: { status: 404 },
      isLast: false,
    })
  },
)

scenario.onReact18(
  'hooks/last/reset',
  'useLast shows nothing of before after a reset',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useLast', api.todo.get, { id: 5 })
    await settle()
    server.hold(route, other)
    await reader.change({ id: 6 })
    controller.resetAll()
    await settle()
    expect(last(reader)).toEqual({ data: undefined, loading: true, error: undefined, isLast: false })
    server.release()
    await settle()
    expect(last(reader)).toMatchObject({ data: { title: 'Todo 6' }, isLast: false })
  },
)

// useStatus

scenario.onReact18(
  'hooks/status',
  'useStatus says when data was received and is fetched in the background, and causes no request',
  async ({ api, clock, controller, mount, server, settle }) => {
    const reader = await mount('useStatus', api.todo.get, { id: 5 })
    await settle()
    const unknown = {
      stale: false,
      pausedOffline: false,
      restoring: false,
      updatedAt: undefined,
      expiresAt: undefined,
    }
    expect(status(reader)).toEqual({ ...unknown, fetching: false, error: undefined })
    expect(server.requests).toEqual([])
    server.hold(route)
    const fetched = controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(status(reader)).toEqual({ ...unknown, fetching: true, error: undefined })
    server.release()
    await fetched
    await settle()
    const updatedAt = clock.now()
    expect(status(reader)).toMatchObject({ fetching: false, stale: false, updatedAt })
    expect(status(reader).expiresAt).toBe(updatedAt + 60_000)
    server.route(route, reply.status(500))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(status(reader)).toMatchObject({ updatedAt, error: { status: 500 } })
    expect(server.requests).toEqual([route, route])
  },
)

scenario.inChromium(
  'hooks/status/time',
  'useStatus says that data is Stale when its time has passed, by one render, and no timer runs when nobody shows it',
  async ({ api, clock, controller, mount, pass, server, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    const timers = clock.timers
    const reader = await mount('useStatus', api.todo.get, { id: 5 })
    const beside = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const { renders } = reader
    const rendersBeside = beside.renders
    await pass(59_999)
    expect(status(reader).stale).toBe(false)
    expect(reader.renders).toBe(renders)
    await pass(1)
    expect(status(reader).stale).toBe(true)
    expect(reader.renders).toBe(renders + 1)
    expect(beside.renders).toBe(rendersBeside)
    // Readers do not fetch only because time passes.
    expect(server.requests).toEqual([route])
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(status(reader).stale).toBe(false)
    await reader.unmount()
    await beside.unmount()
    await settle()
    expect(clock.timers).toBeLessThanOrEqual(timers + 1)
  },
)

scenario(
  'hooks/status/same',
  'useStatus renders nothing for what it does not show, and for null arguments knows nothing',
  async ({ api, controller, mount, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    const reader = await mount('useStatus', api.todo.get, { id: 5 })
    await settle()
    const { renders } = reader
    const before = status(reader)
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(status(reader).error).toBe(before.error)
    expect(reader.renders).toBeLessThanOrEqual(renders + 1)
    await reader.change(null)
    await settle()
    expect(status(reader)).toMatchObject({ fetching: false, stale: false, updatedAt: undefined })
  },
)

scenario(
  'hooks/status/offline',
  'useStatus says that a request waits for a network',
  async ({ api, open, server, settle }) => {
    const network = new ManualNetwork()
    const { mount } = open({ middleware: [pauseOffline({ network })] })
    network.set(false)
    const reader = await mount('useStatus', api.todo.get, { id: 5 })
    const data = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(data.current()).toEqual({ state: 'fallback' })
    expect(status(reader)).toMatchObject({ fetching: true, pausedOffline: true })
    expect(server.requests).toEqual([])
    network.set(true)
    await settle()
    expect(status(reader)).toMatchObject({ fetching: false, pausedOffline: false })
    expect(shown(data)).toMatchObject({ title: 'Todo 5' })
  },
)

scenarioOnEachPlatform(
  'hooks/status/restoring',
  'useStatus says that a request waits for what an earlier visit has kept',
  { entries: ['persist'], hasStorage: true },
  async ({ api, open, server, settle }, { storage = memoryStorage() }) => {
    let finishOpening: (() => void) | undefined
    const opened = new Promise<void>((resolve) => (finishOpening = resolve))
    const slow: RowStorage = { ...storage, read: async (keys) => opened.then(() => storage.read(keys)) }
    const { mount } = open({ middleware: [persist({ storage: slow, waitMs: 60_000 })] })
    const reader = await mount('useStatus', api.todo.get, { id: 5 })
    const data = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(data.current()).toEqual({ state: 'fallback' })
    expect(status(reader)).toMatchObject({ fetching: true, restoring: true })
    expect(server.requests).toEqual([])
    finishOpening?.()
    await settle()
    expect(status(reader)).toMatchObject({ fetching: false, restoring: false })
    expect(shown(data)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toHaveLength(1)
  },
)

// A part of the data

scenario.everywhere(
  'hooks/select',
  'a part of the data is shown, and rendered again only when it changes',
  async ({ api, controller, mount, settle }) => {
    const reader = await mount('useSelect', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toBe('Todo 5')
    const { renders } = reader
    controller.set(Todo, { id: 5 }, { completed: true })
    await settle()
    expect(reader.renders).toBe(renders)
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(shown(reader)).toBe('Changed')
    expect(reader.renders).toBe(renders + 1)
    await reader.change({ id: 6 })
    await settle()
    expect(shown(reader)).toBe('Todo 6')
  },
)

// useLoading

/** Runs that a scenario settles by hand. */
function createRuns() {
  const ends = new Map<string, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>()
  const submit = new Endpoint(
    (name: string) => new Promise((resolve, reject) => ends.set(name, { resolve, reject })),
    { name: 'submit' },
  )
  const end = (name: string) => ends.get(name) ?? { resolve() {}, reject() {} }
  return { submit, end }
}
type Loading = RunState<readonly string[]> & { readonly run: (name: string) => Promise<unknown> }
const loading = (reader: Reader) => shown(reader) as Loading

scenario.onReact18(
  'hooks/loading',
  'useLoading says of the latest run that it is under way, how it ended, and what it was called with',
  async ({ mount, settle }) => {
    const { submit, end } = createRuns()
    const reader = await mount('useLoading', submit)
    const { run } = loading(reader)
    expect(loading(reader)).toMatchObject({ loading: false, error: undefined, lastArgs: undefined })
    const first = run('first')
    await settle()
    expect(loading(reader)).toMatchObject({ loading: true, error: undefined, lastArgs: ['first'] })
    expect(loading(reader).run).toBe(run)
    end('first').resolve(1)
    expect(await first).toBe(1)
    await settle()
    expect(loading(reader)).toMatchObject({ loading: false, error: undefined, lastArgs: ['first'] })
    // Not awaited, and the rejection is not reported as unhandled.
    void run('second')
    end('second').reject('a text')
    await settle()
    expect(loading(reader)).toMatchObject({
      loading: false,
      error: { cause: 'a text' },
      lastArgs: ['second'],
    })
    void run('third')
    await settle()
    expect(loading(reader)).toMatchObject({ loading: true, error: undefined })
    end('third').reject(new DOMException('enough', 'AbortError'))
    await settle()
    expect(loading(reader)).toMatchObject({ loading: false, error: undefined })
  },
)

scenario.onReact18(
  'hooks/loading/overtaken',
  'in useLoading a run that began earlier and ends later changes nothing, nor does one that ends after the unmount',
  async ({ mount, settle }) => {
    const { submit, end } = createRuns()
    const reader = await mount('useLoading', submit)
    const { run } = loading(reader)
    void run('slow')
    void run('quick')
    end('quick').resolve(2)
    await settle()
    expect(loading(reader)).toMatchObject({ loading: false, lastArgs: ['quick'] })
    end('slow').reject(new Error('late'))
    await settle()
    expect(loading(reader)).toMatchObject({ loading: false, error: undefined, lastArgs: ['quick'] })
    void run('gone')
    await settle()
    await reader.unmount()
    const { renders } = reader
    end('gone').reject(new Error('after the end'))
    await settle()
    expect(reader.renders).toBe(renders)
  },
)

scenario.onReact18(
  'hooks/loading/reset',
  'in useLoading a mutation that resetAll dropped is no error: the next user does not see it',
  async ({ api, controller, mount, server, settle }) => {
    server.hold('PATCH /todo/5')
    const save = new Endpoint(
      (title: string) => controller.fetch(api.todo.partialUpdate, { id: 5 }, { title }),
      { name: 'save' },
    )
    const reader = await mount('useLoading', save)
    const saving = loading(reader).run('New')
    await settle()
    expect(loading(reader)).toMatchObject({ loading: true })
    controller.resetAll()
    await expect(saving).rejects.toMatchObject({ code: 'hard-reset' })
    await settle()
    expect(loading(reader)).toMatchObject({ loading: false, error: undefined, lastArgs: ['New'] })
  },
)

// useDebounce

/** The hook reads no call. */
const anything = new Endpoint(async () => undefined, { name: 'anything' })

scenario.everywhere(
  'hooks/debounce',
  'useDebounce follows a value when it has not changed for a while, says that it is about to, and leaves no timer',
  async ({ clock, mount, pass, settle }) => {
    const timers = clock.timers
    const reader = await mount('useDebounce', anything, 'a', 300)
    expect(shown(reader)).toEqual({ debounced: 'a', pending: false })
    await reader.change('b', 300)
    expect(shown(reader)).toEqual({ debounced: 'a', pending: true })
    await pass(299)
    await reader.change('c', 300)
    await pass(299)
    expect(shown(reader)).toEqual({ debounced: 'a', pending: true })
    await pass(1)
    await settle()
    expect(shown(reader)).toEqual({ debounced: 'c', pending: false })
    // The value is back, so nothing is pending.
    await reader.change('d', 300)
    await reader.change('c', 300)
    expect(shown(reader)).toEqual({ debounced: 'c', pending: false })
    expect(clock.timers).toBe(timers)
    await reader.change('e', 300)
    await reader.unmount()
    expect(clock.timers).toBe(timers)
  },
)

// usePrefetch

scenario.inChromium(
  'hooks/prefetch',
  'usePrefetch asks on hover and focus once, and again only when the data is Stale or the arguments are others',
  async ({ api, mount, pass, server, settle }) => {
    const reader = await mount('usePrefetch', api.todo.get, { id: 5 })
    const { onIntent, prefetch } = shown(reader) as Prefetching
    // A target of events, like an element.
    const link = new EventTarget() as Element
    onIntent(link)
    // A framework may pass the same element again.
    onIntent(link)
    expect(server.requests).toEqual([])
    const hover = () => link.dispatchEvent(new Event('pointerenter'))
    hover()
    hover()
    link.dispatchEvent(new Event('focusin'))
    await settle()
    hover()
    prefetch()
    await settle()
    expect(server.requests).toEqual([route])
    const data = await mount('useSuspense', api.todo.get, { id: 5 })
    expect(data.fallbacks).toBe(0)
    await pass(60_000)
    expect(server.requests).toEqual([route])
    await data.unmount()
    hover()
    await settle()
    expect(server.requests).toEqual([route, route])
    await reader.change({ id: 6 })
    hover()
    await settle()
    expect(server.requests).toEqual([route, route, other])
    await reader.change(null)
    hover()
    // The element was removed from the page.
    onIntent(null)
    await reader.change({ id: 7 })
    hover()
    await settle()
    expect(server.requests).toEqual([route, route, other])
  },
)

scenario.inChromium(
  'hooks/prefetch/fails',
  'usePrefetch does not ask again for what has just failed, and throws nothing',
  async ({ api, mount, pass, server, settle }) => {
    server.route(route, reply.status(500))
    const reader = await mount('usePrefetch', api.todo.get, { id: 5 })
    const { prefetch } = shown(reader) as Prefetching
    prefetch()
    await settle()
    prefetch()
    await settle()
    expect(server.requests).toEqual([route])
    await pass(1000)
    server.route(route, todoFields(5))
    prefetch()
    await settle()
    expect(server.requests).toEqual([route, route])
  },
)

// useCancelling

scenario.inChromium(
  'hooks/cancelling',
  'the endpoint of useCancelling aborts the call before when arguments change, and at the unmount, also where it is awaited',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useCancelling', api.todo.get, { id: 5 })
    const endpoint = () => shown(reader) as EndpointLike
    const first = endpoint()
    await reader.rerender()
    expect(endpoint()).toBe(first)
    expect(first.signal?.aborted).toBe(false)
    server.hold(route, other)
    const call = controller.fetch(first, { id: 5 }).catch((error: Error) => error)
    await settle()
    await reader.change({ id: 6 })
    await settle()
    expect(await call).toMatchObject({ name: 'AbortError' })
    expect(endpoint()).not.toBe(first)
    const second = controller.fetch(endpoint(), { id: 6 }).catch((error: Error) => error)
    await settle()
    await reader.unmount()
    await settle()
    expect(await second).toMatchObject({ name: 'AbortError' })
    expect(server.aborted).toEqual([route, other])
    expect(server.requests).toEqual([route, other])
  },
)

scenario(
  'hooks/cancelling/shared',
  'usePrefetch and useCancelling on one call send it once, and an abort ends only what its owner awaits',
  async ({ api, controller, mount, server, settle }) => {
    const link = await mount('usePrefetch', api.todo.get, { id: 5 })
    const cancelling = await mount('useCancelling', api.todo.get, { id: 5 })
    server.hold(route)
    ;(shown(link) as Prefetching).prefetch()
    const own = controller.fetch(shown(cancelling) as EndpointLike, { id: 5 })
    const outcome = own.catch((error: Error) => error)
    await settle()
    expect(server.requests).toEqual([route])
    await cancelling.unmount()
    await settle()
    expect(await outcome).toMatchObject({ name: 'AbortError' })
    expect(server.aborted).toEqual([])
    server.release()
    await settle()
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route])
  },
)

scenario(
  'hooks/cancelling/reader',
  'a reader joins a request with a signal of its own, and keeps it when that signal aborts',
  async ({ api, controller, mount, server, settle }) => {
    const cancelling = await mount('useCancelling', api.todo.get, { id: 5 })
    server.hold(route)
    const own = controller.fetch(shown(cancelling) as EndpointLike, { id: 5 })
    const outcome = own.catch((error: Error) => error)
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    expect(reader.current()).toEqual({ state: 'fallback' })
    await cancelling.unmount()
    await settle()
    expect(await outcome).toMatchObject({ name: 'AbortError' })
    expect(server.aborted).toEqual([])
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route])
  },
)

// useFetching, useMutations

scenario(
  'hooks/fetching',
  'useFetching counts reads and mutations under way, all of them, of an endpoint, or of a record',
  async ({ api, controller, mount, server, settle }) => {
    const all = await mount('useFetching', api.todo.get)
    const ofEndpoint = await mount('useFetching', api.todo.get, api.todo.get)
    const ofRecord = await mount('useFetching', api.todo.get, [Todo, 5])
    const counts = () => [all, ofEndpoint, ofRecord].map(shown)
    expect(counts()).toEqual([0, 0, 0])
    server.route('PATCH /todo/5', todoFields(5, { title: 'New' }))
    server.hold(route, other, 'PATCH /todo/5')
    const fetched = [
      controller.fetch(api.todo.get, { id: 5 }),
      controller.fetch(api.todo.get, { id: 6 }),
      controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'New' }),
    ]
    await settle()
    expect(counts()).toEqual([3, 2, 2])
    server.release()
    await Promise.all(fetched)
    await settle()
    expect(counts()).toEqual([0, 0, 0])
  },
)

scenario(
  'hooks/mutations',
  'useMutations shows what is under way and what failed, until it is dismissed, succeeds, or a reset',
  async ({ api, controller, mount, server, settle }) => {
    const patch = 'PATCH /todo/5'
    const reader = await mount('useMutations', api.todo.get, [Todo, 5])
    const beside = await mount('useMutations', api.todo.get, [Todo, 6])
    const list = () => shown(reader) as readonly MutationState[]
    const change = () =>
      controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'New' }).catch(() => undefined)
    server.route(patch, reply.status(500))
    server.hold(patch)
    const failing = change()
    await settle()
    expect(list()).toMatchObject([{ loading: true, error: undefined, args: [{ id: 5 }, { title: 'New' }] }])
    const before = list()
    await controller.fetch(api.todo.get, { id: 6 })
    await settle()
    expect(list()).toBe(before)
    server.release()
    await failing
    await settle()
    expect(list()).toMatchObject([{ loading: false, error: { status: 500 } }])
    expect(shown(beside)).toEqual([])
    list()[0]?.dismiss()
    await settle()
    expect(list()).toEqual([])
    await change()
    await settle()
    expect(list()).toHaveLength(1)
    server.route(patch, todoFields(5, { title: 'New' }))
    await change()
    await settle()
    expect(list()).toEqual([])
    server.route(patch, reply.status(500))
    await change()
    await settle()
    expect(list()).toHaveLength(1)
    controller.resetAll()
    await settle()
    expect(list()).toEqual([])
    await change()
    await reader.unmount()
    await settle()
    const next = await mount('useMutations', api.todo.get)
    await settle()
    expect(shown(next)).toEqual([])
  },
)
