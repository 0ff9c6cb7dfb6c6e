import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, schema } from '../index.js'
import { logger } from './logger.js'
import type { LoggerOptions } from './logger.js'
import { Todo, createStage, reply } from './testing-stage.js'

function createLogged(options: LoggerOptions = {}) {
  const lines: string[] = []
  const details: unknown[] = []
  const log: LoggerOptions['log'] = (line, ...rest) => {
    lines.push(line)
    details.push(...rest)
  }
  return { lines, details, ...createStage(logger({ log, ...options })) }
}

const address = 'https://api.test/todo/5'

describe('logger', () => {
  test('writes what was done, of which call, how long it took and why it failed', async () => {
    const { api, controller, lines, pass, server } = createLogged()
    server.route('GET /todo/5', reply.delayed(120, { id: 5, title: 'a' }))
    const fetched = controller.fetch(api.get, { id: 5 })
    await pass(0)
    await pass(120)
    await fetched
    server.route('PATCH /todo/5', reply.status(403))
    await controller.fetch(api.partialUpdate, { id: 5 }, { title: 'secret' }).catch(() => {})
    controller.invalidate(api.get, { id: 5 })
    controller.set(Todo, { id: 5 }, { title: 'secret' })
    controller.set(new schema.All(Todo), {}, [])
    controller.setResponse(api.get, { id: 5 }, { id: 5, title: 'secret' })
    controller.setError(api.get, { id: 5 }, new TypeError('gone'))
    controller.invalidateAll(api.getList)
    controller.expireAll({ testKey: () => false })
    controller.resetAll()
    controller.dispose()
    expect(lines).toEqual([
      `fetch Todo.get GET ${address}`,
      `response Todo.get GET ${address}, 120 ms`,
      `fetch Todo.partialUpdate PATCH ${address}`,
      `error Todo.partialUpdate PATCH ${address}, 0 ms, NetworkError: Todo.partialUpdate failed: 403 from PATCH ${address}.`,
      `invalidate Todo.get GET ${address}`,
      'set Todo',
      'set AllSchema',
      `setResponse Todo.get GET ${address}`,
      `setError Todo.get GET ${address}, TypeError`,
      'invalidateAll Todo.getList',
      'expireAll',
      'resetAll',
      'dispose',
    ])
  })

  test('writes what was refused', () => {
    const { api, controller, lines } = createLogged()
    expect(() => controller.setResponse(api.get, { id: 5 }, {})).toThrow('primary key')
    expect(lines[0]).toMatch(
      /^setResponse Todo\.get GET \S+, refused: SelfsameError: Entity "Todo" has no primary key/,
    )
  })

  test('tells once how long it took until an answer came that does not fit', async () => {
    const { api, controller, lines, pass, server } = createLogged()
    server.route('GET /todo/5', reply.delayed(120, { title: 'of no record' }))
    const refusal = controller.fetch(api.get, { id: 5 }).catch((error: Error) => error.message)
    await pass(0)
    await pass(120)
    expect(await refusal).toContain('primary key')
    expect(lines.map((line) => line.split(', ', 2).join())).toEqual([
      `fetch Todo.get GET ${address}`,
      `error Todo.get GET ${address},120 ms`,
      expect.stringContaining(
        `response Todo.get GET ${address},refused: SelfsameError: Entity "Todo" has no primary key`,
      ),
    ])
  })

  test('writes no arguments of a mutation, and no long keys', async () => {
    const { controller, lines } = createLogged()
    const signIn = new Endpoint(async (_user: { password: string }) => 'token', {
      name: 'signIn',
      sideEffect: true,
    })
    await controller.fetch(signIn, { password: 'secret' })
    await controller.fetch(new Endpoint(async (_text: string) => '', { name: 'find' }), 'x'.repeat(1000))
    expect(lines.slice(0, 2)).toEqual(['fetch signIn', 'response signIn, 0 ms'])
    expect(lines[2]).toMatch(/^fetch find \["x+…$/)
    expect(lines[2]!.length).toBeLessThan(200)
  })

  test('hands over the whole action only where it is asked to', async () => {
    const answer = { id: 5, title: 'Todo 5' }
    const quiet = createLogged()
    await quiet.controller.fetch(quiet.api.get, { id: 5 })
    expect(quiet.details).toEqual([])
    const open = createLogged({ payloads: true })
    await open.controller.fetch(open.api.get, { id: 5 })
    expect(open.details).toMatchObject([
      { type: 'fetch', args: [{ id: 5 }] },
      { type: 'response', response: answer },
    ])
  })

  test('times each of two requests for one call', async () => {
    const { api, controller, lines, pass, server } = createLogged({
      isMeant: ({ type }) => type === 'response',
    })
    server.route('GET /todo/5', reply.delayed(300, { id: 5, title: 'a' }))
    const first = controller.fetch(api.get, { id: 5 })
    await pass(0)
    await pass(100)
    controller.invalidate(api.get, { id: 5 })
    const second = controller.fetch(api.get, { id: 5 })
    await pass(0)
    await pass(200)
    await pass(100)
    await Promise.all([first, second])
    expect(lines.map((line) => line.split(', ')[1])).toEqual(['300 ms', '300 ms'])
  })

  test('writes to the console by default', () => {
    const spy = vi.spyOn(console, 'log').mockImplementation(() => {})
    new Controller({ middleware: [logger()] }).resetAll()
    expect(spy.mock.calls).toEqual([['resetAll']])
    spy.mockRestore()
  })
})
