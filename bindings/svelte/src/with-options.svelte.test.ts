import { Inspector } from '@selfsame/core/inspect'
import { writable } from 'svelte/store'
import { describe, expect, test } from 'vitest'
import { createStage } from '../testing/stage.js'
import { useDLE, withOptions } from './index.js'
import type { ReactiveOptions } from './index.js'

// An option is a value, a store or a getter. A changed option asks for nothing.

const route = 'GET /todo/5'

/** Mounts a reader of todo 5 with options. */
async function mountReader(options: ReactiveOptions) {
  const stage = createStage()
  const { api, clock, mount, settle } = stage
  let params = $state({ id: 5 })
  mount(() => {
    const todo = useDLE(withOptions(api.todo.get, options), () => params)
    return () => `${todo.data?.title ?? '…'}${todo.isLast ? ' before' : ''}`
  })
  await settle()
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  return { ...stage, pass, change: (id: number) => (params = { id }) }
}

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

describe.each(Object.entries(ways))('an option that is %s', (_, make) => {
  test('keepPrevious applies from the next other arguments on', async () => {
    const keepPrevious = make(false)
    const { change, screen, server, settle } = await mountReader({ keepPrevious: keepPrevious.option })
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
    const { pass, server, settle } = await mountReader({ interval: interval.option })
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

  test('a name is the one that tools list', async () => {
    const name = make('first')
    const { controller, server, settle } = await mountReader({ name: name.option })
    const inspector = new Inspector(controller)
    expect(inspector.calls()[0]?.readers).toEqual(['first'])
    name.set('second')
    await settle()
    expect(inspector.calls()[0]?.readers).toEqual(['second'])
    expect(server.requests).toEqual([route])
  })

  test('ssr changes nothing in a browser', async () => {
    const ssr = make(false)
    const { screen, server, settle } = await mountReader({ ssr: ssr.option })
    ssr.set(true)
    await settle()
    expect(screen()).toBe('Todo 5')
    expect(server.requests).toEqual([route])
  })
})
