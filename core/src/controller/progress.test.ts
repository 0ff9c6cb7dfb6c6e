import { callsOf } from './calls.js'
import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint } from '../index.js'
import { Observer } from '../bindings.js'
import type { Progress, ProgressListener } from '../index.js'
import { RestEndpoint } from '../rest.js'

/** An endpoint with a transport whose progress and responses the test sends, in any order. */
function manual<const Method extends string>(method: Method) {
  const calls: { report: ProgressListener; answer: () => void; fail: () => void }[] = []
  const endpoint = new RestEndpoint({
    path: '/file/:id',
    method,
    fetchResponse: (_url: string, _init: RequestInit, onProgress?: ProgressListener) =>
      new Promise<Response>((resolve, reject) => {
        calls.push({
          report: (progress) => onProgress?.(progress),
          answer: () => resolve(Response.json({})),
          fail: () => reject(new TypeError('no')),
        })
      }),
  })
  return { endpoint, calls }
}

const down = (loaded: number): Progress => ({ direction: 'download', loaded, total: 10 })
const up = (loaded: number): Progress => ({ direction: 'upload', loaded, total: 10 })
const tick = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('a read', () => {
  test('shows its progress while it is under way, and whoever shows something else is not told', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('GET')
    const observer = new Observer(controller, endpoint, [{ id: 1 }])
    const other = new Observer(controller, endpoint, [{ id: 1 }])
    const told: (Progress | undefined)[] = []
    let othersTold = 0
    const progressNow = () => observer.getSnapshot().progress
    observer.subscribe(() => told.push(progressNow()), progressNow)
    const fetched = controller.fetch(endpoint, { id: 1 })
    await tick()
    other.subscribe(
      () => othersTold++,
      () => other.load(),
    )
    calls[0]!.report(down(0))
    await tick()
    calls[0]!.report(down(5))
    await tick()
    const { progress } = observer.getSnapshot()
    calls[0]!.report({ ...down(5) })
    await tick()
    expect(observer.getSnapshot().progress).toBe(progress)
    expect(othersTold).toBe(0)
    expect(controller.read(endpoint, { id: 1 }).progress).toBe(progress)
    calls[0]!.answer()
    await fetched
    expect(told).toEqual([down(0), down(5), undefined])
    calls[0]!.report(down(10))
    await tick()
    expect(told.length).toBe(3)
  })

  test('that does not count any more says nothing, nor does one that a reset dropped', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('GET')
    const progress = () => controller.read(endpoint, { id: 1 }).progress
    controller.fetch(endpoint, { id: 1 }).catch(() => {})
    await tick()
    calls[0]!.report(down(5))
    expect(progress()).toEqual(down(5))
    controller.invalidate(endpoint, { id: 1 })
    expect(progress()).toBe(undefined)
    const second = controller.fetch(endpoint, { id: 1 })
    second.catch(() => {})
    await tick()
    expect(progress()).toBe(undefined)
    calls[0]!.report(down(6))
    expect(progress()).toBe(undefined)
    calls[1]!.report(down(1))
    expect(progress()).toEqual(down(1))
    controller.resetAll()
    calls[1]!.report(down(2))
    expect(progress()).toBe(undefined)
    await expect(second).rejects.toMatchObject({ code: 'hard-reset' })
  })
})

describe('a mutation', () => {
  test('that says how far it is has a row until some time after it ended, also when it fails', async () => {
    const controller = new Controller({ keepLength: 0 })
    const { endpoint, calls } = manual('POST')
    const failed = controller.fetch(endpoint, { id: 1 })
    failed.catch(() => {})
    await tick()
    expect(callsOf(controller).store.results.size).toBe(0)
    calls[0]!.report(up(0))
    await tick()
    expect(controller.read(endpoint, { id: 1 })).toMatchObject({
      fetching: true,
      progress: up(0),
      data: undefined,
    })
    calls[0]!.fail()
    await expect(failed).rejects.toThrow('no response')
    expect(controller.read(endpoint, { id: 1 })).toMatchObject({
      fetching: false,
      progress: undefined,
      error: undefined,
    })
    await tick()
    await tick()
    expect(callsOf(controller).store.results.size).toBe(0)
  })

  test('is named without its body', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('POST')
    const upload = endpoint.extend({ body: {} as Blob })
    const uploaded = controller.fetch(upload, { id: 1 }, new Blob(['a']))
    await tick()
    calls[0]!.report(up(5))
    expect(new Observer(controller, upload, [{ id: 1 }]).getSnapshot().progress).toEqual(up(5))
    calls[0]!.answer()
    await uploaded
    await expect(Reflect.apply(upload, undefined, [{ id: 1 }])).rejects.toThrow('body')
  })

  test('of several at one address the one that started last is shown', async () => {
    const controller = new Controller()
    const { endpoint, calls } = manual('POST')
    const first = controller.fetch(endpoint, { id: 1 }, 'a')
    const second = controller.fetch(endpoint, { id: 1 }, 'b')
    await tick()
    calls[0]!.report(up(8))
    calls[1]!.report(up(1))
    calls[0]!.report(up(9))
    expect(controller.read(endpoint, { id: 1 }).progress).toEqual(up(1))
    calls[1]!.answer()
    await second
    expect(controller.read(endpoint, { id: 1 }).fetching).toBe(true)
    calls[0]!.report(up(10))
    expect(controller.read(endpoint, { id: 1 }).progress).toEqual(up(10))
    calls[0]!.answer()
    await first
    expect(controller.read(endpoint, { id: 1 })).toMatchObject({ fetching: false, progress: undefined })
  })
})

describe('dispose', () => {
  /** An endpoint whose responses the test sends, and the responses that were disposed of. */
  function disposable() {
    const answers: ((value: unknown) => void)[] = []
    const given: unknown[] = []
    const endpoint = new Endpoint(() => new Promise<unknown>((resolve) => answers.push(resolve)), {
      name: 'handle',
      dispose: (value: unknown) => given.push(value),
    })
    const fetch = async (controller: Controller, value: unknown) => {
      const fetched = controller.fetch(endpoint)
      answers.at(-1)?.(value)
      return fetched
    }
    return { answers, endpoint, fetch, given }
  }

  test('is called for an answer that is replaced, after readers were told', async () => {
    const controller = new Controller()
    const { endpoint, fetch, given } = disposable()
    await fetch(controller, 'a')
    let givenWhenTold: number | undefined
    const end = controller.subscribe(endpoint, () => (givenWhenTold ??= given.length))
    await fetch(controller, 'b')
    await tick()
    expect([givenWhenTold, given]).toEqual([0, ['a']])
    // An identical response is not disposed of.
    await fetch(controller, 'b')
    controller.invalidate(endpoint)
    await tick()
    expect(given).toEqual(['a'])
    end()
  })

  test('gives up equal objects one by one: none lives on in another', async () => {
    const controller = new Controller()
    const { endpoint, fetch, given } = disposable()
    const [first, second] = [new URL('blob:x'), new URL('blob:x')]
    await fetch(controller, first)
    await fetch(controller, second)
    await tick()
    expect(given[0]).toBe(first)
    expect(controller.read(endpoint).data).toBe(second)
  })

  test('is called for an answer that comes too late to be kept', async () => {
    const controller = new Controller()
    const { answers, endpoint, given } = disposable()
    const first = controller.fetch(endpoint)
    controller.invalidate(endpoint)
    const second = controller.fetch(endpoint)
    answers[1]!('new')
    await second
    answers[0]!('old')
    await first
    await tick()
    expect(given).toEqual(['old'])
  })

  test('is called at a reset, and for what was under way then', async () => {
    const controller = new Controller()
    const { answers, endpoint, fetch, given } = disposable()
    await fetch(controller, 'a')
    const dropped = controller.fetch(endpoint)
    controller.resetAll()
    answers[1]!('late')
    await expect(dropped).rejects.toMatchObject({ code: 'hard-reset' })
    await tick()
    expect(given.toSorted()).toEqual(['a', 'late'])
  })

  test('is called for what is collected, and for what is left when the Controller is disposed of', async () => {
    const { fetch, given } = disposable()
    await fetch(new Controller({ keepLength: 0 }), 'a')
    await tick()
    await tick()
    expect(given).toEqual(['a'])
    const controller = new Controller()
    await fetch(controller, 'b')
    controller.dispose()
    controller.dispose()
    await tick()
    expect(given).toEqual(['a', 'b'])
  })

  test('is not called for a mutation: its answer belongs to who made it', async () => {
    const controller = new Controller()
    const { endpoint, fetch, given } = disposable()
    const mutation = endpoint.extend({ sideEffect: true, fetch: () => Promise.resolve('a') })
    expect(await controller.fetch(mutation)).toBe('a')
    await fetch(controller, 'b')
    await tick()
    expect(given).toEqual([])
  })
})

test('a mutation whose progress no reader shows, beside readers of other params, is one warning', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const controller = new Controller()
  const { endpoint, calls } = manual('PUT')
  const other = new Observer(controller, endpoint, [{ id: 2 }])
  const send = async (id: number) => {
    const sent = controller.fetch(endpoint, { id }, {})
    await tick()
    calls.at(-1)!.report(up(1))
    calls.at(-1)!.answer()
    await sent
  }
  await send(1)
  expect(warned).not.toHaveBeenCalled()
  const release = other.retain()
  await send(2)
  expect(warned).not.toHaveBeenCalled()
  await send(1)
  await send(1)
  expect(warned).toHaveBeenCalledOnce()
  expect(warned.mock.calls[0]![0]).toMatch(
    /^\[selfsame\] PUT .*\/file\/:id reports progress, but the useProgress on screen has other params.* `undefined` after the params/,
  )
  release()
  warned.mockRestore()
})
