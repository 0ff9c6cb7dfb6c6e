import { optionPlaces } from '@selfsame/conformance/option-places'
import type { GiveOptions } from '@selfsame/conformance/option-places'
import { Inspector } from '@selfsame/core/inspect'
import { writable } from 'svelte/store'
import { describe, expect, test } from 'vitest'
import { createStage } from '../testing/stage.js'
import { useDLE, useLast, useSuspense, withOptions } from './index.js'
import type { ReactiveOptions } from './index.js'

// An option is a value, a store or a getter. A changed option requests nothing, but for what was due while the reader was paused.

const route = 'GET /todo/5'

/** The ways to give an option that changes, with how to change it. */
const ways = {
  'a store': <Value>(first: Value) => {
    const option = writable(first)
    return { option, set: option.set }
  },
  'a getter': <Value>(first: Value) => {
    let value = $state(first)
    return { option: () => value, set: (next: Value) => void (value = next) }
  },
}

type Endpoint = ReturnType<typeof createStage>['api']['todo']['get']

const places = optionPlaces<Endpoint, ReactiveOptions>(withOptions)
const cases = Object.entries(ways).flatMap(([way, make]) => places.map((place) => ({ way, make, ...place })))

/** Mounts a reader of todo 5 with options. */
async function mountReader(
  options: ReactiveOptions,
  give: GiveOptions<Endpoint, ReactiveOptions> = withOptions,
  hook: typeof useDLE = useDLE,
) {
  const stage = createStage()
  const { api, clock, mount, settle } = stage
  let params = $state({ id: 5 })
  mount(() => {
    const todo = hook(give(api.todo.get, options), () => params)
    return () => `${todo.data?.title ?? '…'}${todo.isLast ? ' before' : ''}`
  })
  await settle()
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  return { ...stage, pass, change: (id: number) => (params = { id }) }
}

describe.each(cases)('an option that is $way, $place', ({ make, give }) => {
  test('keepPrevious applies from the next other arguments on', async () => {
    const keepPrevious = make(false)
    const { change, screen, server, settle } = await mountReader({ keepPrevious: keepPrevious.option }, give)
    server.hold('GET /todo/6')
    keepPrevious.set(true)
    await settle()
    expect(server.requests).toEqual([route])
    change(6)
    await settle()
    expect(screen()).toBe('Todo 5 before')
    keepPrevious.set(false)
    change(7)
    await settle()
    expect(screen()).toBe('…')
  })

  test('an interval is followed', async () => {
    const interval = make<number | undefined>(5000)
    const { pass, server, settle } = await mountReader({ interval: interval.option }, give)
    interval.set(1000)
    await settle()
    expect(server.requests).toEqual([route])
    await pass(1000)
    expect(server.requests).toEqual([route, route])
    interval.set(undefined)
    await settle()
    await pass(10_000)
    expect(server.requests).toEqual([route, route])
    interval.set(2000)
    await settle()
    expect(server.requests).toEqual([route, route])
    await pass(2000)
    expect(server.requests).toEqual([route, route, route])
  })

  test('a reader that is paused goes on with what is due', async () => {
    const paused = make(true)
    const { api, controller, server, settle } = await mountReader({ paused: paused.option }, give)
    expect(server.requests).toEqual([])
    paused.set(false)
    await settle()
    expect(server.requests).toEqual([route])
    paused.set(true)
    await settle()
    controller.expireAll(api.todo.get)
    await settle()
    expect(server.requests).toEqual([route])
    paused.set(false)
    await settle()
    expect(server.requests).toEqual([route, route])
  })

  test('a suspending reader that is paused from the start goes on', async () => {
    const paused = make(true)
    const { api, mount, screen, server, settle } = createStage()
    mount(() => {
      const todo = useSuspense(give(api.todo.get, { paused: paused.option }), { id: 5 })
      return () => todo.current.title
    })
    await settle()
    expect(server.requests).toEqual([])
    paused.set(false)
    await settle()
    expect([screen(), server.requests]).toEqual(['Todo 5', [route]])
  })

  test('a name is the one that tools list', async () => {
    const name = make('first')
    const { controller, server, settle } = await mountReader({ name: name.option }, give)
    const inspector = new Inspector(controller)
    expect(inspector.calls()[0]?.readers).toEqual(['first'])
    name.set('second')
    await settle()
    expect(inspector.calls()[0]?.readers).toEqual(['second'])
    expect(server.requests).toEqual([route])
  })

  test('ssr changes nothing in a browser', async () => {
    const ssr = make(false)
    const { screen, server, settle } = await mountReader({ ssr: ssr.option }, give)
    ssr.set(true)
    await settle()
    expect(screen()).toBe('Todo 5')
    expect(server.requests).toEqual([route])
  })
})

test.each(Object.entries(ways))('useLast follows an interval that is %s', async (_, make) => {
  const interval = make<number | undefined>(5000)
  const options = { interval: interval.option as () => number }
  const { pass, server } = await mountReader(options, withOptions, useLast as unknown as typeof useDLE)
  interval.set(1000)
  await pass(0)
  await pass(1000)
  expect(server.requests).toEqual([route, route])
})
