import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity } from '../index.js'
import type { Action, Middleware, MiddlewareHooks } from '../index.js'
import { connect } from '../live.js'
import { RestEndpoint } from '../rest.js'

class Todo extends Entity {
  id = 0
  title = ''
  tags: readonly string[] = []
  static override key = 'Todo'
}

const getTodo = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id, title: 'sent' }), {
  name: 'getTodo',
  schema: Todo,
})
const saveTodo = new Endpoint((body: { id: number; title: string }) => Promise.resolve(body), {
  name: 'saveTodo',
  schema: Todo,
  sideEffect: true,
})
const failing = new Endpoint(() => Promise.reject(new Error('no')), { name: 'failing', schema: Todo })

function withHooks(...hooks: MiddlewareHooks[]): Controller {
  return new Controller({ middleware: hooks.map((each) => () => each) })
}

/** A middleware that logs its calls. */
function recorder(log: string[]): Middleware {
  const line = (when: string, action: Action) =>
    `${when} ${action.type}${'key' in action ? ` ${action.key}` : ''}`
  return () => ({
    before: (action) => log.push(line('before', action)),
    after: (action, error) => log.push(line('after', action) + (error === undefined ? '' : ` ${error.name}`)),
  })
}

describe('actions', () => {
  test('a read is seen when it is sent and when it is answered, before and after each', async () => {
    const log: string[] = []
    const controller = new Controller({ middleware: [recorder(log)] })
    const answer = controller.fetch(getTodo, { id: 1 })
    const key = getTodo.key({ id: 1 })
    expect(log).toEqual([`before fetch ${key}`, `after fetch ${key}`])
    await answer
    expect(log.slice(2)).toEqual([`before response ${key}`, `after response ${key}`])
  })

  test('the actions of one request have one id, which its request has too', async () => {
    const ids: string[] = []
    const controller = withHooks({
      after: (action) => 'id' in action && ids.push(`${action.type} ${action.id}`),
      request: ({ id }, next) => {
        ids.push(`request ${id}`)
        return next()
      },
    })
    for (const call of [
      () => controller.fetch(failing),
      () => controller.fetch(saveTodo, { id: 1, title: 'x' }),
    ]) {
      ids.length = 0
      await call().catch(() => {})
      const [, id] = ids[0]!.split(' ')
      expect(ids).toEqual([`request ${id}`, `fetch ${id}`, expect.stringMatching(`^(error|response) ${id}$`)])
    }
  })

  test('a call that joins a request under way is no action', async () => {
    const log: string[] = []
    const controller = new Controller({ middleware: [recorder(log)] })
    await Promise.all([controller.fetch(getTodo, { id: 1 }), controller.fetch(getTodo, { id: 1 })])
    expect(log.length).toBe(4)
  })

  test('before a response nothing of it is stored, after it all is', async () => {
    const seen: unknown[] = []
    const controller: Controller = withHooks({
      before: ({ type }) => type === 'response' && seen.push(controller.get(Todo, { id: 1 })),
      after: ({ type }) => type === 'response' && seen.push(controller.get(Todo, { id: 1 })?.title),
    })
    await controller.fetch(getTodo, { id: 1 })
    await controller.fetch(saveTodo, { id: 1, title: 'saved' })
    expect(seen).toEqual([undefined, 'sent', expect.objectContaining({ title: 'sent' }), 'saved'])
  })

  test.each([
    ['a reset', (controller: Controller) => controller.resetAll(), undefined],
    [
      'an outcome that came in another way',
      (controller: Controller) => {
        const response = { id: 1, title: 'elsewhere' }
        controller.resolve(saveTodo, { args: [{ id: 1, title: 'here' }], response })
      },
      'elsewhere',
    ],
  ])('a mutation that %s ends before it is sent is not sent', async (_name, end, title) => {
    const sent: unknown[] = []
    const save = saveTodo.extend({
      fetch: (body: { id: number; title: string }) => {
        sent.push(body)
        return Promise.resolve(body)
      },
    })
    const controller = withHooks({ before: ({ type }) => type === 'fetch' && end(controller) })
    const outcome = await controller.fetch(save, { id: 1, title: 'here' }).catch(() => undefined)
    expect(outcome?.title).toBe(title)
    expect(sent).toEqual([])
  })

  test('a failure is seen with its error', async () => {
    const errors: unknown[] = []
    const controller = withHooks({
      after: (action) => action.type === 'error' && errors.push(action.error.message),
    })
    await expect(controller.fetch(failing)).rejects.toThrow('no')
    expect(errors).toEqual(['no'])
  })

  test('every other call is seen once, in the order in which it is made', () => {
    const log: string[] = []
    const controller = new Controller({ middleware: [recorder(log)] })
    const key = getTodo.key({ id: 1 })
    controller.set(Todo, { id: 1 }, { title: 'x' })
    controller.setResponse(getTodo, { id: 1 }, { id: 1, title: 'y' })
    controller.setError(getTodo, { id: 1 }, new Error('broken'))
    controller.invalidate(getTodo, { id: 1 })
    controller.invalidateAll(getTodo)
    controller.expireAll(getTodo)
    connect(controller, getTodo.extend({ stream: () => () => {} }), { id: 1 })()
    controller.resetAll()
    controller.dispose()
    expect(log.filter((line) => line.startsWith('after'))).toEqual([
      'after set',
      `after setResponse ${key}`,
      `after setError ${key}`,
      `after invalidate ${key}`,
      'after invalidateAll',
      'after expireAll',
      `after connect ${key}`,
      `after disconnect ${key}`,
      'after resetAll',
      'after dispose',
    ])
  })

  test('an action that was refused says why', () => {
    const log: string[] = []
    const controller = new Controller({ middleware: [recorder(log)] })
    expect(() => controller.set(Todo, { id: null }, { title: 'x' })).toThrow('primary key')
    expect(log).toEqual(['before set', 'after set SelfsameError'])
  })

  test.each([false, true])('an answer that was refused says why (a mutation: %s)', async (sideEffect) => {
    const unkeyed = new Endpoint(() => Promise.resolve({ title: 'x' }), {
      name: 'unkeyed',
      schema: Todo,
      sideEffect,
    })
    const log: string[] = []
    const controller = new Controller({ middleware: [recorder(log)] })
    await expect(controller.fetch(unkeyed)).rejects.toThrow('primary key')
    expect(log.filter((line) => line.startsWith('after response'))).toEqual([
      `after response ${unkeyed.key()} SelfsameError`,
    ])
  })

  test('one that throws is reported, and keeps neither the action nor the others from going on', () => {
    const reported: unknown[] = []
    const queue = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((run) => {
      try {
        run()
      } catch (error) {
        reported.push((error as Error).message)
      }
    })
    const log: string[] = []
    const broken: Middleware = () => ({
      before: () => {
        throw new Error('broken')
      },
    })
    const controller = new Controller({ middleware: [broken, recorder(log)] })
    controller.set(Todo, { id: 1 }, { title: 'x' })
    queue.mockRestore()
    expect(reported).toEqual(['broken'])
    expect(log).toEqual(['before set', 'after set'])
    expect(controller.get(Todo, { id: 1 })?.title).toBe('x')
  })
})

describe('requests', () => {
  test('the first middleware is the outermost', async () => {
    const log: string[] = []
    const around =
      (name: string): Middleware =>
      () => ({
        request: async (_call, next) => {
          log.push(`${name} in`)
          const payload = await next()
          log.push(`${name} out`)
          return payload
        },
      })
    await new Controller({ middleware: [around('a'), around('b')] }).fetch(getTodo, { id: 1 })
    expect(log).toEqual(['a in', 'b in', 'b out', 'a out'])
  })

  test('one may answer in place of the network', async () => {
    const controller = withHooks({
      request: ({ args }) => Promise.resolve({ id: (args[0] as { id: number }).id, title: 'made up' }),
    })
    expect((await controller.fetch(getTodo, { id: 7 })).title).toBe('made up')
  })

  test('one may ask again', async () => {
    let attempts = 0
    const flaky = new Endpoint(
      () =>
        ++attempts < 3 ? Promise.reject(new Error('again')) : Promise.resolve({ id: 1, title: 'third' }),
      { name: 'flaky', schema: Todo },
    )
    const controller = withHooks({
      request: async (_call, next) => {
        for (;;) {
          try {
            return await next()
          } catch {
            // Retry.
          }
        }
      },
    })
    expect((await controller.fetch(flaky)).title).toBe('third')
  })

  test('what it throws at once rejects the call', async () => {
    const controller = withHooks({
      request: () => {
        throw new Error('not allowed')
      },
    })
    await expect(controller.fetch(getTodo, { id: 1 })).rejects.toThrow('not allowed')
    expect(controller.read(getTodo, { id: 1 }).error?.message).toBe('not allowed')
  })

  test.each(['read', 'mutation'] as const)(
    'of a %s that middleware resets before it is stored, nothing is stored (F5)',
    async (kind) => {
      const lost: unknown[] = []
      const middleware: Middleware = (controller) => ({
        before: ({ type }) => void (type === 'response' && controller.resetAll()),
      })
      const controller = new Controller({ middleware: [middleware] })
      const called =
        kind === 'read'
          ? controller.fetch(getTodo, { id: 1 })
          : controller.fetch(saveTodo, { id: 1, title: 'x' })
      await expect(called).rejects.toMatchObject({ code: 'hard-reset' })
      expect(controller.get(Todo, { id: 1 })).toBeUndefined()
      const held = new Endpoint(async () => 'held', { name: 'held', dispose: (value) => lost.push(value) })
      await expect(controller.fetch(held)).rejects.toMatchObject({ code: 'hard-reset' })
      expect(lost).toEqual(['held'])
    },
  )

  test('a mutation that was not sent yet is not sent after a reset', async () => {
    let sent = 0
    let go: () => void = () => {}
    const waits = new Promise<void>((resolve) => (go = resolve))
    const counted = new Endpoint(() => Promise.resolve(++sent), { name: 'counted', sideEffect: true })
    const controller = withHooks({ request: (_call, next) => waits.then(next) })
    const call = controller.fetch(counted)
    controller.resetAll()
    await expect(call).rejects.toThrow('was reset')
    go()
    await waits
    await Promise.resolve()
    expect(sent).toBe(0)
  })

  test('knows the kind of a call, its key and its signal', async () => {
    const calls: unknown[] = []
    const controller = withHooks({
      request: ({ kind, key, signal }, next) => {
        calls.push([kind, key, signal.aborted])
        return next()
      },
    })
    await controller.fetch(getTodo, { id: 1 })
    await controller.fetch(saveTodo, { id: 1, title: 'x' })
    expect(calls).toEqual([
      ['read', getTodo.key({ id: 1 }), false],
      ['mutation', saveTodo.key({ id: 1, title: 'x' }), false],
    ])
  })

  test('a payload that somebody else may hold is not taken apart', async () => {
    const rest = new RestEndpoint({
      path: '/todo/:id',
      schema: Todo,
      fetchResponse: () => Promise.resolve(Response.json({ id: 1, title: 'x', tags: ['a'] })),
    })
    let payload: unknown
    const controller = withHooks({
      request: async (_call, next) => {
        const answer = await next()
        payload = answer
        return answer
      },
    })
    const record = await controller.fetch(rest, { id: 1 })
    ;(payload as { tags: string[] }).tags.push('b')
    expect(record.tags).toEqual(['a'])
  })
})

describe('activate', () => {
  test('runs from the first reader on screen to the last', () => {
    const log: string[] = []
    const controller = withHooks({
      activate: () => {
        log.push('begin')
        return () => log.push('end')
      },
    })
    expect(log).toEqual([])
    const first = controller.subscribe(getTodo, { id: 1 }, () => {})
    const second = controller.subscribe(getTodo, { id: 2 }, () => {})
    first()
    first()
    expect(log).toEqual(['begin'])
    second()
    expect(log).toEqual(['begin', 'end'])
    controller.subscribe(getTodo, { id: 1 }, () => {})
    controller.dispose()
    expect(log).toEqual(['begin', 'end', 'begin', 'end'])
  })

  test('one that throws is reported, and keeps the others from nothing', () => {
    const reported: unknown[] = []
    vi.stubGlobal('queueMicrotask', (run: () => void) => {
      try {
        run()
      } catch (error) {
        reported.push(error)
      }
    })
    const log: string[] = []
    const controller = withHooks(
      {
        activate: () => {
          throw new Error('no')
        },
      },
      { activate: () => () => log.push('end') },
    )
    const end = controller.subscribe(getTodo, { id: 1 }, () => {})
    end()
    vi.unstubAllGlobals()
    expect(reported).toEqual([new Error('no')])
    expect(log).toEqual(['end'])
  })

  test('two Controllers have pieces of their own', () => {
    const made: Controller[] = []
    const piece: Middleware = (controller) => {
      made.push(controller)
      return {}
    }
    const first = new Controller({ middleware: [piece] })
    const second = new Controller({ middleware: [piece] })
    expect(made).toEqual([first, second])
  })
})
