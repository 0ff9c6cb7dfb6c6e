import { describe, expect, test, vi } from 'vitest'
import { Endpoint } from '../endpoint/endpoint.js'
import { Entity, Query } from '../index.js'
import { Observer } from '../observer/observer.js'
import { nextTask } from '@selfsame/conformance/next-task'
import { TestClock } from '../testing.js'
import { Controller } from './controller.js'

// An application is built without the checks of development. What stops a loop is not among them.
vi.mock('#development', () => ({ development: false }))

class Todo extends Entity {
  id = 0
  static override key = 'Todo'
}

type Read = (observer: Observer, endpoint: Endpoint) => (() => void) | undefined

/** Two ways to read in a render. Each returns what unmounts it. */
const readers: Readonly<Record<string, Read>> = {
  suspends: (observer) => {
    observer.readOrFetch()
    return undefined
  },
  'is on screen': (observer, endpoint) => {
    observer.follow(endpoint, [])
    observer.load()
    const release = observer.retain()
    const end = observer.subscribe(() => {})
    return () => {
      end()
      release()
    }
  },
}

const limits: Readonly<Record<string, object>> = {
  'the default limits': {},
  'no time to keep what is unused': { keepLength: 0 },
  'room for fewer records than arrive': { maxRecords: 10 },
}

/**
 * Renders until an error ends it; each render makes a schema, and each response renders.
 *
 * @returns the number of requests
 */
async function requestsUntilError(read: Read, options: object, latencyMs: number): Promise<number> {
  const clock = new TestClock()
  const controller = new Controller({ clock, ...options })
  let sent = 0
  let answer = () => {}
  const endpoint = new Endpoint(
    () => {
      const id = sent++
      return new Promise<object>((resolve) => (answer = () => resolve({ todo: { id } })))
    },
    { name: 'getTodo' },
  )
  let end: (() => void) | undefined
  try {
    for (let render = 0; render < 500; render++) {
      const query = new Query({ todo: Todo }, ({ todo }) => todo)
      const derived = endpoint.extend({ schema: query }) as unknown as Endpoint
      const next = read(new Observer(controller, derived, []), derived)
      end?.()
      end = next
      clock.advance(latencyMs)
      answer()
      await nextTask()
      // What garbage is due is collected before the next render.
      clock.advance(1)
      await nextTask()
    }
  } catch (error) {
    expect(error).toMatchObject({ code: 'definition-invalid' })
    return sent
  } finally {
    end?.()
    controller.dispose()
  }
  return Infinity
}

describe.each(Object.entries(readers))('a reader that %s, whose schema differs in each render', (_, read) => {
  describe.each(Object.entries(limits))('with %s', (_name, options) => {
    test.each([20, 200, 2000, 10_000, 60_000])(
      'sends no requests without end where a response takes %i ms',
      async (latencyMs) => {
        expect(await requestsUntilError(read, options, latencyMs)).toBeLessThanOrEqual(200)
      },
    )
  })
})

test('a call of another schema is collected once nothing of its address was asked for lately', async () => {
  const clock = new TestClock()
  const controller = new Controller({ clock, keepLength: 0 })
  const endpoint = new Endpoint(async () => ({ todo: { id: 1 } }), {
    name: 'getTodo',
    schema: { todo: Todo },
  })
  const other = endpoint.extend({ schema: { todo: Todo, next: '' } })
  const reader = new Observer(controller, endpoint, [])
  const release = reader.retain()
  await controller.fetch(endpoint)
  await controller.fetch(other)
  expect(controller.read(other).status).toBe('Valid')
  for (let run = 0; run < 3; run++) {
    clock.advance(10_000)
    await nextTask()
  }
  expect(controller.read(other).status).toBe('Invalid')
  release()
})
