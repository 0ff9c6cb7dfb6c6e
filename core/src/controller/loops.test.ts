import { describe, expect, test, vi } from 'vitest'
import { Endpoint } from '../endpoint/endpoint.js'
import { Entity } from '../index.js'
import { Observer } from '../observer/observer.js'
import { nextTask } from '@selfsame/conformance/next-task'
import { Controller } from './controller.js'

// An application is built without the checks of development. What stops a loop is not among them.
vi.mock('#development', () => ({ development: false }))

/** Reads an Endpoint that is made in each render. @returns what it shows, and a function that unmounts it */
const readers = {
  /** As `useSuspense` and `useLive`: a render that suspends is not mounted. */
  suspends: (observer: Observer) => {
    const reading = observer.readOrFetch()
    return { error: reading.state === 'error' ? reading.error : undefined, end: () => {} }
  },
  /** As `useFetch`. */
  asks: (observer: Observer) => {
    observer.fetchIfDue()
    return { error: observer.failure(), end: () => {} }
  },
  /** As `useDLE`, which is mounted, and rendered again by the response. */
  'is on screen': (observer: Observer, endpoint: Endpoint) => {
    observer.follow(endpoint, [])
    const { error } = observer.load()
    const release = observer.retain()
    const end = observer.subscribe(() => observer.load())
    return {
      error,
      end: () => {
        end()
        release()
      },
    }
  },
}

describe.each(Object.keys(readers) as (keyof typeof readers)[])('a reader that %s', (kind) => {
  // A framework may render again before the response, so that several requests are under way at once.
  test.each([1, 2, 5])(
    'sends no requests without end where each response is %i renders late',
    async (late) => {
      const controller = new Controller()
      const sent: (() => void)[] = []
      const send = () => new Promise<string>((resolve) => sent.push(() => resolve('now')))
      let answered = 0
      let shown: ReturnType<(typeof readers)[typeof kind]> | undefined
      for (let render = 0; render < 100; render++) {
        const endpoint = new Endpoint(() => send())
        const next = readers[kind](new Observer(controller, endpoint, []), endpoint as never)
        shown?.end()
        shown = next
        if (sent.length - answered >= late) sent[answered++]?.()
        await nextTask()
      }
      expect(shown?.error).toMatchObject({ code: 'definition-invalid' })
      expect(sent.length).toBeLessThan(40)
    },
  )
})

describe('an endpoint that is derived in each render', () => {
  class Todo extends Entity {
    id = 0
    static override key = 'Todo'
  }
  const derivations = {
    'a schema of equal content': (endpoint: Endpoint) => endpoint.extend({ schema: { todo: Todo } }),
    'a schema with another class': (endpoint: Endpoint) => endpoint.extend({ schema: class extends Todo {} }),
    'another function that parses': (endpoint: Endpoint) =>
      endpoint.extend({ process: (value: unknown) => value } as object),
  }
  test.each(Object.keys(derivations) as (keyof typeof derivations)[])(
    'with %s sends no requests without end, though responses are late',
    async (name) => {
      const controller = new Controller()
      const sent: (() => void)[] = []
      const endpoint = new Endpoint(
        () => new Promise<object>((resolve) => sent.push(() => resolve({ todo: { id: 1 }, id: 1 }))),
        { name: 'getTodo' },
      )
      for (let render = 0; render < 500; render++) {
        try {
          new Observer(controller, derivations[name](endpoint as never), []).readOrFetch()
        } catch (error) {
          expect(error).toMatchObject({ code: 'definition-invalid' })
        }
        if (render % 2 === 1) {
          for (const answer of sent) answer()
          await nextTask()
        }
      }
      expect(sent.length).toBeLessThanOrEqual(name === 'a schema of equal content' ? 1 : 200)
    },
  )
})

test('many readers may each have an Endpoint of one function', async () => {
  const controller = new Controller()
  const makeEndpoint = (value: number) => new Endpoint(async () => value)
  const observers = Array.from(
    { length: 100 },
    (_, index) => new Observer(controller, makeEndpoint(index), []),
  )
  for (const observer of observers) expect(observer.readOrFetch().state).toBe('pending')
  await nextTask()
  expect(observers.map((observer) => observer.readOrFetch())).toEqual(
    observers.map((_, index) => ({ state: 'success', data: index })),
  )
})
