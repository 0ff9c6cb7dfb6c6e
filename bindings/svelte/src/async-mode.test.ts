import { join } from 'node:path'
import type { Driver } from '@selfsame/conformance'
import { Endpoint } from '@selfsame/core'
import type { Controller, ReadEndpoint } from '@selfsame/core'
import { TestClock } from '@selfsame/core/testing'
import type { RenderedHook } from '@selfsame/core/testing'
import { listenersOf, reply, retainersOf, runSuite } from '@selfsame/conformance'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compile } from '../testing/compile.js'
import { createStage } from '../testing/stage.js'
import type { RenderDataHookOptions } from './testing.svelte.js'

/** `testing/async/driver.ts`. Its components compile only with `experimental.async`. */
interface AsyncModule {
  readonly asyncDriver: Driver
  mountPage(controller: Controller, endpoint: ReadEndpoint): () => Promise<void>
  renderReader(endpoint: ReadEndpoint, options: RenderDataHookOptions): RenderedHook<unknown, undefined>
}

const folder = join(import.meta.dirname, '../testing')
const { asyncDriver, mountPage, renderReader } = (await compile(
  join(folder, 'async/driver.ts'),
  join(folder, 'dist/async'),
  { isAsync: true },
)) as unknown as AsyncModule

runSuite(asyncDriver)

describe('a handle that is awaited in markup, inside <svelte:boundary>', () => {
  test('shows pending, then data, then what it changes to', async () => {
    const { api, controller, screen, server, settle } = createStage()
    server.hold('GET /todo/5')
    const end = mountPage(controller, api.todo.get)
    onTestFinished(end)
    await settle()
    expect(screen()).toBe('…')
    server.release()
    await settle()
    expect(screen()).toBe('Todo 5')
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(screen()).toBe('Changed')
  })

  test('shows failed', async () => {
    const { api, controller, screen, server, settle } = createStage()
    server.route('GET /todo/5', reply.status(404))
    onTestFinished(mountPage(controller, api.todo.get))
    await settle()
    expect(screen()).toContain('404')
  })

  test('leaves nothing behind when it is destroyed while it is pending', async () => {
    const { api, controller, server, settle } = createStage()
    server.hold('GET /todo/5')
    const end = mountPage(controller, api.todo.get)
    await settle()
    expect(retainersOf(controller)).toBe(1)
    await end()
    server.release()
    await settle()
    expect(listenersOf(controller)).toBe(0)
    expect(retainersOf(controller)).toBe(0)
  })
})

describe('renderDataHook', () => {
  const getText = new Endpoint(async () => 'unused', { name: 'getText' })

  test('shows pending, then data', async () => {
    const { requests, result, settle, unmount } = renderReader(getText, {
      fixtures: [{ endpoint: getText, args: [], response: 'text' }],
    })
    onTestFinished(unmount)
    expect(result.pending).toBe(true)
    await settle()
    expect([result.pending, result.current]).toEqual([false, 'text'])
    expect(requests).toHaveLength(1)
  })

  test('shows an error, and leaves nothing behind', async () => {
    const clock = new TestClock()
    const error = new Error('Offline')
    const { controller, result, settle, unmount } = renderReader(getText, {
      clock,
      fixtures: [{ endpoint: getText, args: [], error }],
    })
    await settle()
    expect(result.error).toBe(error)
    await unmount()
    expect([listenersOf(controller), retainersOf(controller), clock.timers]).toEqual([0, 0, 0])
  })
})
