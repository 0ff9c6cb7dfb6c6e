import { join } from 'node:path'
import { listenersOf, reply, retainersOf } from '@selfsame/conformance'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compile } from '../testing/compile.js'
import { createStage } from '../testing/stage.js'
import type * as pages from '../testing/page/pages.js'
import { ways } from '../testing/page/props.js'
import type { RootProps } from '../testing/page/props.js'

const folder = join(import.meta.dirname, '../testing')
const modes = [
  { name: 'default', isAsync: false, isProduction: false },
  { name: 'default, production', isAsync: false, isProduction: true },
  { name: 'async', isAsync: true, isProduction: false },
  { name: 'async, production', isAsync: true, isProduction: true },
] as const

describe.each(modes)('a reader that is added to a page, $name', async (mode) => {
  const { mountRoot } = (await compile(
    join(folder, 'page/pages.ts'),
    join(folder, 'dist/page'),
    mode,
  )) as unknown as typeof pages

  async function open(way: (typeof ways)[number], options: Partial<RootProps> = {}) {
    const stage = createStage()
    const { api, controller, server, settle } = stage
    const ticks: number[] = []
    for (const id of [4, 5, 6]) {
      server.route(`GET /todo/${id}`, { id, title: `Todo ${id}` })
      server.hold(`GET /todo/${id}`)
    }
    const end = mountRoot({
      controller,
      endpoint: api.todo.get,
      way,
      onTick: (count) => ticks.push(count),
      ...options,
    })
    onTestFinished(end)
    await settle()
    const field = document.querySelector('input') as HTMLInputElement
    field.value = 'typed'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    await settle()
    const add = async () => {
      document.querySelector('button')?.click()
      await settle()
    }
    const expectKept = () => {
      expect(document.querySelector('input')).toBe(field)
      expect(field.value).toBe('typed')
      expect(document.querySelector('b')?.textContent).toBe('typed')
    }
    const isHidden = () => field.parentElement?.style.display === 'none'
    const outputs = () => [...document.querySelectorAll('output')].map(({ textContent }) => textContent)
    return { ...stage, ticks, add, expectKept, isHidden, outputs, end }
  }

  test.each(ways)('hides the page, and gives it back with its state: %s', async (way) => {
    const { add, expectKept, isHidden, outputs, server, settle, ticks } = await open(way)
    expect(document.querySelector('progress')).toBeNull()
    await add()
    expectKept()
    expect(isHidden()).toBe(true)
    expect(document.querySelectorAll('progress')).toHaveLength(1)
    server.release()
    await settle()
    expectKept()
    expect(isHidden()).toBe(false)
    expect(document.querySelector('progress')).toBeNull()
    expect(outputs()).toEqual(['Todo 4'])
    server.hold('GET /todo/5')
    await add()
    expectKept()
    expect(isHidden()).toBe(true)
    server.release()
    await settle()
    expectKept()
    expect(isHidden()).toBe(false)
    expect(outputs()).toEqual(way === 'each' ? ['Todo 4', 'Todo 5'] : ['Todo 5'])
    expect(server.requests).toEqual(['GET /todo/4', 'GET /todo/5'])
    // The effects of the page go on while it is hidden.
    expect(ticks).toEqual([0, 1, 2])
  })

  test.each(ways)('leaves the page on screen with keepPrevious: %s', async (way) => {
    const { add, expectKept, isHidden, outputs, server, settle } = await open(way, { keepPrevious: true })
    await add()
    expectKept()
    expect(isHidden()).toBe(false)
    expect(document.querySelector('progress')).toBeNull()
    server.release()
    await settle()
    expectKept()
    expect(outputs()).toEqual(['Todo 4'])
  })

  test.each(ways)('follows the page while it waits: %s', async (way) => {
    const { add, expectKept, isHidden, outputs, server, settle } = await open(way)
    await add()
    await add()
    expect(isHidden()).toBe(true)
    server.release()
    await settle()
    server.release()
    await settle()
    expectKept()
    expect(isHidden()).toBe(false)
    expect(outputs()).toEqual(way === 'each' ? ['Todo 4', 'Todo 5'] : ['Todo 5'])
  })

  test.each(ways)('leaves nothing behind: %s', async (way) => {
    const { add, controller, end, server, settle } = await open(way)
    await add()
    await end()
    server.release()
    await settle()
    expect(listenersOf(controller)).toBe(0)
    expect(retainersOf(controller)).toBe(0)
  })

  test.each(ways)('shows the error of a reader, and the page anew after a reset: %s', async (way) => {
    const { add, isHidden, server, settle } = await open(way)
    server.route('GET /todo/4', reply.status(404))
    server.release('GET /todo/4')
    await add()
    server.release()
    await settle()
    expect(document.querySelector('input')).toBeNull()
    expect(document.querySelector('button')?.textContent).toContain('404')
    server.route('GET /todo/4', { id: 4, title: 'Found' })
    document.querySelector('button')?.click()
    await settle()
    expect(document.querySelector('input')).not.toBeNull()
    expect(isHidden()).toBe(false)
  })
})
