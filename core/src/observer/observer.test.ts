import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { DeleteSchema } from '../schema/delete.js'
import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import { Entity } from '../schema/entity.js'
import { dehydrate, hydrate } from '../hydration.js'
import { Observer, stateOfLoading, dataIn } from './observer.js'
import { takeBackError } from './boundary.js'
import { promiseOf } from './promise-of.js'
import { endRepeat, repeat } from './repeat.js'
import { optimistic } from '../optimistic/optimistic.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

/** A Controller with a clock that the test moves, and a read whose responses the test sends. */
function createStage() {
  let now = 0
  const clock = { now: () => now, setTimeout: (callback: () => void) => callback(), clearTimeout: () => {} }
  const controller = new Controller({ clock, keepLength: Infinity })
  const asked: { token: string; answer: (payload: unknown) => void }[] = []
  const read = (token: string) =>
    new Endpoint((_params?: object) => new Promise<unknown>((answer) => asked.push({ token, answer })), {
      name: 'getTodo',
      schema: Todo,
      invalidIfStale: true,
    })
  const answer = async (payload: unknown) => {
    asked.at(-1)?.answer(payload)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { controller, asked, answer, read, pass: (ms: number) => (now += ms) }
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

const sample = { id: 5, title: 'Buy milk' }

describe('a reading that waits', () => {
  async function wait() {
    const stage = createStage()
    const observer = new Observer(stage.controller, stage.read('a'), [])
    const reading = observer.readOrFetch()
    if (reading.state !== 'pending') throw new Error(`It is ${reading.state}.`)
    return { ...stage, observer, promise: reading.promise }
  }

  test('has one promise until the answer is there', async () => {
    const { observer, promise, answer } = await wait()
    expect(observer.readOrFetch()).toMatchObject({ promise })
    await answer(sample)
    expect(promise.status).toBe('fulfilled')
    expect(observer.readOrFetch()).toMatchObject({ state: 'success', data: sample })
  })

  test('is told by its promise that the answer will not count, and asks anew (F3)', async () => {
    const { controller, read, observer, promise, asked, answer } = await wait()
    controller.invalidate(read('a'))
    expect(promise.status).toBe('fulfilled')
    expect(observer.readOrFetch()).toMatchObject({ state: 'pending' })
    expect(asked).toHaveLength(2)
    await answer(sample)
    expect(observer.readOrFetch()).toMatchObject({ state: 'success' })
  })

  test('is told by its promise of a reset and of a failure, without a rejection', async () => {
    const { controller, observer, promise, answer } = await wait()
    controller.resetAll()
    expect(promise.status).toBe('fulfilled')
    const next = observer.readOrFetch()
    await answer([])
    expect(next).toMatchObject({ state: 'pending', promise: { status: 'fulfilled' } })
    expect(observer.readOrFetch()).toMatchObject({ state: 'error', error: { code: 'payload-unusable' } })
  })
})

describe('a reading', () => {
  test('is the same object until it changes', async () => {
    const { controller, read, answer } = createStage()
    const observer = new Observer(controller, read('a'), [])
    const waiting = observer.readOrFetch()
    expect(observer.readOrFetch()).toBe(waiting)
    await answer(sample)
    const ready = observer.readOrFetch()
    expect(observer.readOrFetch()).toBe(ready)
    controller.set(Todo, { id: 5 }, { title: 'Changed' })
    expect(observer.readOrFetch()).not.toBe(ready)
    controller.invalidate(read('a'))
    observer.readOrFetch()
    await answer([])
    const failed = observer.readOrFetch()
    expect(failed).toMatchObject({ state: 'error' })
    expect(observer.readOrFetch()).toBe(failed)
  })

  test('that waits has what was shown last, of the call before too, until a reset or a failure', async () => {
    const { controller, read, answer } = createStage()
    const first = new Observer(controller, read('a'), [])
    expect(first.readOrFetch()).toMatchObject({ state: 'pending', last: undefined })
    await answer(sample)
    const shown = first.readOrFetch()
    controller.invalidate(read('a'))
    expect(first.readOrFetch()).toMatchObject({ state: 'pending', last: shown })
    const second = new Observer(controller, read('b').extend({ name: 'other' }), [])
    second.succeed(first)
    expect(second.readOrFetch()).toMatchObject({ state: 'pending', last: shown, dropsLast: false })
    const third = new Observer(controller, read('c').extend({ name: 'third' }), [])
    controller.resetAll()
    third.succeed(first)
    for (const observer of [first, second, third]) {
      expect(observer.readOrFetch()).toMatchObject({ state: 'pending', last: undefined, dropsLast: true })
    }
    await answer([])
    expect(third.readOrFetch()).toMatchObject({ state: 'error' })
    takeBackError(third)
    expect(third.readOrFetch()).toMatchObject({ state: 'pending', last: undefined })
  })
})

describe('the promise of a call', () => {
  function observe() {
    const stage = createStage()
    const observer = new Observer<Todo>(stage.controller, stage.read('a'), [])
    return { ...stage, observer, first: promiseOf(observer) }
  }

  test('is pending until the answer is there, and then the same one is fulfilled with the data', async () => {
    const { controller, read, observer, first, answer, asked } = observe()
    expect(first).toMatchObject({ status: 'pending' })
    expect(promiseOf(observer)).toBe(first)
    await answer(sample)
    const { data } = controller.read(read('a'))
    expect(first).toMatchObject({ status: 'fulfilled', value: data })
    expect(await first).toBe(data)
    expect(promiseOf(observer)).toBe(first)
    expect(promiseOf(new Observer(controller, read('a'), []))).toMatchObject({ value: data })
    expect(asked).toHaveLength(1)
  })

  test('is another one when the data changes, and stays when it does not', async () => {
    const { controller, observer, first, answer } = observe()
    await answer(sample)
    controller.set(Todo, { id: 5 }, sample)
    expect(promiseOf(observer)).toBe(first)
    controller.set(Todo, { id: 5 }, { title: 'Buy bread' })
    const next = promiseOf(observer)
    expect(next).not.toBe(first)
    expect(next).toMatchObject({ status: 'fulfilled', value: { title: 'Buy bread' } })
    expect(promiseOf(observer)).toBe(next)
  })

  test('is fulfilled with Stale data while the request runs', async () => {
    const { controller, read, answer, pass, asked } = createStage()
    const stale = read('a').extend({ invalidIfStale: false })
    void controller.fetch(stale)
    await answer(sample)
    pass(60_000)
    const observer = new Observer<Todo>(controller, stale, [])
    expect(promiseOf(observer)).toMatchObject({ status: 'fulfilled', value: sample })
    expect(asked).toHaveLength(2)
    await answer({ ...sample, title: 'Buy bread' })
    expect(promiseOf(observer)).toMatchObject({ value: { title: 'Buy bread' } })
  })

  test('is rejected with the stored error, which is never unhandled', async () => {
    const unhandled = vi.fn<() => void>()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    const { controller, read, first, answer, observer } = observe()
    await answer([])
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'payload-unusable' } })
    expect(promiseOf(observer)).toBe(first)
    const { error } = controller.read(read('a'))
    expect(promiseOf(new Observer(controller, read('a'), []))).toMatchObject({ reason: error })
    await new Promise((resolve) => setTimeout(resolve))
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('goes on to the answer that counts, when the call is invalidated or reset meanwhile', async () => {
    const { controller, read, first, answer, asked } = observe()
    controller.invalidate(read('a'))
    await new Promise((resolve) => setTimeout(resolve))
    controller.resetAll()
    await new Promise((resolve) => setTimeout(resolve))
    expect(first?.status).toBe('pending')
    expect(asked).toHaveLength(3)
    await answer(sample)
    expect(first).toMatchObject({ status: 'fulfilled', value: sample })
  })

  test('of a reader that was given up makes no request, and is settled by the answer to another', async () => {
    const { controller, read, observer, first, answer, asked } = observe()
    observer.leave()
    controller.resetAll()
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked).toHaveLength(1)
    const get = read('b')
    const second = new Observer<Todo>(controller, get, [])
    const promise = promiseOf(second)
    void controller.fetch(get)
    second.leave()
    await answer(sample)
    expect([first?.status, promise?.status]).toEqual(['pending', 'fulfilled'])
  })

  test('is rejected by a Controller that was disposed of', async () => {
    const { controller, first } = observe()
    controller.dispose()
    await expect(first).rejects.toMatchObject({ code: 'controller-disposed' })
  })
})

describe('a reader on screen that waits for another request (G2)', () => {
  /** An observer, mounted as by a binding, and the count of its notifications. */
  async function mount() {
    const stage = createStage()
    const { controller, read } = stage
    const observer = new Observer(controller, read('a'), [{ id: 5 }])
    let tellings = 0
    const end = observer.subscribe(
      () => void tellings++,
      () => observer.load(),
    )
    const release = observer.retain()
    onTestFinished(() => {
      end()
      release()
    })
    observer.load()
    await nextTask()
    /** Counts the notifications that an action causes. */
    const toldOf = async (act: () => void) => {
      tellings = 0
      act()
      await nextTask()
      return tellings
    }
    return { ...stage, observer, toldOf }
  }
  const remove = new DeleteSchema(Todo)

  test('is not told of the answer that an invalidation made late', async () => {
    const { controller, read, asked, answer, observer, toldOf } = await mount()
    controller.invalidate(read('a'), { id: 5 })
    await nextTask()
    expect(asked).toHaveLength(2)
    expect(await toldOf(() => asked[0]?.answer(sample))).toBe(0)
    await answer(sample)
    expect(observer.load()).toMatchObject({ data: sample })
    expect(asked).toHaveLength(2)
  })

  test('is not told of a late answer after its request failed', async () => {
    const { controller, read, asked, observer, toldOf } = await mount()
    controller.expireAll({ testKey: () => true })
    await nextTask()
    expect(asked).toHaveLength(2)
    controller.set(remove, { id: 5 }, {})
    controller.setError(read('a'), { id: 5 }, new Error('gone'))
    expect(await toldOf(() => asked[0]?.answer(sample))).toBe(0)
    expect(observer.load()).toMatchObject({ error: { message: 'gone' } })
  })

  /** A response arrives while an optimistic delete hides it. `confirm` sends the response of the delete. */
  async function hide() {
    const stage = await mount()
    let confirm = (_payload: object) => {}
    const deleteTodo = new Endpoint((_params: object) => new Promise((resolve) => (confirm = resolve)), {
      name: 'deleteTodo',
      schema: remove,
      sideEffect: true,
      getOptimisticResponse: optimistic((_snapshot, params) => params),
    })
    void stage.controller.fetch(deleteTodo, { id: 5 })
    await stage.answer(sample)
    expect(stage.asked).toHaveLength(1)
    return { ...stage, confirm: () => confirm({}) }
  }

  test('is not told that the delete was answered which hid an answer', async () => {
    const { controller, read, asked, answer, observer, toldOf, confirm } = await hide()
    void controller.fetch(read('a'), { id: 5 })
    await nextTask()
    expect(asked).toHaveLength(2)
    expect(await toldOf(confirm)).toBe(0)
    await answer({ ...sample, title: 'again' })
    expect(observer.load().loading).toBe(true)
  })

  test('is told once of data that is there again before the delete is answered which hid it', async () => {
    const { controller, observer, toldOf } = await hide()
    let refuse = (_error: Error) => {}
    const patchTodo = (isLate: boolean) =>
      new Endpoint(
        (params: object) => new Promise((_, reject) => (refuse = isLate ? reject : () => params)),
        {
          name: 'patchTodo',
          schema: Todo,
          sideEffect: true,
          getOptimisticResponse: optimistic((_snapshot, params) => params),
        },
      )
    const told = await toldOf(() => void controller.fetch(patchTodo(false), { ...sample, title: 'again' }))
    expect(told).toBe(1)
    expect(observer.load()).toMatchObject({ data: { title: 'again' } })
    controller.fetch(patchTodo(true), { id: 6 }).catch(() => {})
    expect(await toldOf(() => refuse(new Error('refused')))).toBe(0)
  })
})

describe('data that is Invalid by its age', () => {
  async function makeOld() {
    const stage = createStage()
    const fetched = stage.controller.fetch(stage.read('a'))
    await stage.answer(sample)
    await fetched
    stage.pass(60_000)
    return stage
  }

  test('is in no snapshot until it is fetched again, and then is told, though nothing else changed', async () => {
    const { controller, read, answer } = await makeOld()
    const observer = new Observer<Todo>(controller, read('a'), [])
    let calls = 0
    const end = observer.subscribe(
      () => calls++,
      () => dataIn(observer.readCached()),
    )
    expect(observer.getSnapshot()).toMatchObject({ data: undefined, isReadable: false })
    expect(dataIn(observer.readCached())).toBeUndefined()
    void controller.fetch(read('a'))
    await answer(sample)
    expect(observer.getSnapshot()).toMatchObject({ data: sample, isReadable: true })
    expect(calls).toBeGreaterThan(0)
    end()
  })

  test('is looked for when a reader comes back on screen, and not by a reader that stayed', async () => {
    const { controller, read, answer, pass, asked } = await makeOld()
    void controller.fetch(read('a'))
    await answer(sample)
    const observer = new Observer<Todo>(controller, read('a'), [])
    const release = observer.retain()
    pass(60_000)
    observer.fetchIfDue()
    expect(asked).toHaveLength(2)
    expect(dataIn(observer.readCached())).toMatchObject(sample)
    release()
    observer.retain()
    expect(dataIn(observer.readCached())).toBeUndefined()
    observer.fetchIfDue()
    expect(asked).toHaveLength(3)
  })
})

describe('a call that becomes Stale between the render of a reader and its mount', () => {
  /** A reader that was rendered while its call was Valid. */
  async function render() {
    const stage = createStage()
    const endpoint = stage.read('a').extend({ invalidIfStale: false, dataExpiryLength: 60_000 })
    void stage.controller.fetch(endpoint)
    await stage.answer(sample)
    return { ...stage, endpoint, observer: new Observer<Todo>(stage.controller, endpoint, []) }
  }

  const causes = {
    expireAll: ({ controller, endpoint }) => void controller.expireAll(endpoint),
    'a stream that was opened again': ({ controller, endpoint }) =>
      callsOf(controller).expire(callsOf(controller).call(endpoint, [])),
    'a mutation whose response does not say what it changed': async ({ controller }) => {
      const change = new Endpoint((_params: { id: number }) => Promise.resolve(undefined), {
        name: 'change',
        schema: Todo,
        sideEffect: true,
      })
      await controller.fetch(change, { id: 5 })
    },
  } satisfies Record<string, (rendered: Awaited<ReturnType<typeof render>>) => unknown>

  test.each(Object.entries(causes))('is fetched once, when the reader is mounted: %s', async (_, expire) => {
    const rendered = await render()
    const { observer, asked } = rendered
    await expire(rendered)
    expect(asked).toHaveLength(1)
    observer.retain()
    observer.fetchIfDue()
    observer.fetchIfDue()
    expect(asked).toHaveLength(2)
    expect(dataIn(observer.readCached())).toMatchObject(sample)
  })

  test('is not fetched if nothing made it Stale, or only time did', async () => {
    const { observer, asked, pass } = await render()
    pass(120_000)
    observer.retain()
    observer.fetchIfDue()
    expect(asked).toHaveLength(1)
  })

  test('is not fetched again if the answer is already on its way', async () => {
    const { observer, asked, controller, endpoint } = await render()
    controller.expireAll(endpoint)
    void controller.fetch(endpoint)
    observer.retain()
    observer.fetchIfDue()
    expect(asked).toHaveLength(2)
  })
})

describe('a call that is answered between the render of a reader and its mount', () => {
  /** A reader that was rendered while its call was Stale, and has not asked. */
  async function render(state: 'answered' | 'failed' = 'answered') {
    const stage = createStage()
    const endpoint = stage.read('a').extend({ dataExpiryLength: 60_000, errorExpiryLength: 1000 })
    if (state === 'answered') {
      void stage.controller.fetch(endpoint)
      await stage.answer(sample)
      stage.controller.expireAll(endpoint)
    } else {
      stage.controller.setError(endpoint, new Error('Lost'))
      stage.pass(1000)
    }
    const asked = stage.asked.length
    const observer = new Observer<Todo>(stage.controller, endpoint, [])
    const sent = () => stage.asked.length - asked
    return { ...stage, endpoint, observer, sent }
  }

  test('is not fetched again: another reader has fetched it', async () => {
    const { controller, endpoint, observer, answer, sent } = await render()
    void controller.fetch(endpoint)
    await answer({ ...sample, title: 'Buy bread' })
    observer.retain()
    observer.fetchIfDue()
    expect(sent()).toBe(1)
    expect(dataIn(observer.readCached())?.title).toBe('Buy bread')
  })

  test('is not fetched again: setResponse has answered it', async () => {
    const { controller, endpoint, observer, sent } = await render()
    controller.setResponse(endpoint, sample)
    observer.retain()
    observer.fetchIfDue()
    expect(sent()).toBe(0)
  })

  test('is not fetched again: it has just failed', async () => {
    const { controller, endpoint, observer, sent } = await render('failed')
    controller.setError(endpoint, new Error('Refused'))
    observer.retain()
    observer.fetchIfDue()
    expect(sent()).toBe(0)
    expect(observer.failure()?.message).toBe('Refused')
  })

  test('is fetched if only another call was answered', async () => {
    const { controller, endpoint, observer, sent } = await render()
    controller.setResponse(endpoint, { id: 6 }, { ...sample, id: 6 })
    observer.retain()
    observer.fetchIfDue()
    observer.fetchIfDue()
    expect(sent()).toBe(1)
  })
})

describe('the state of a call', () => {
  test('is one object until one of its members changes, and is read without a request', async () => {
    const { controller, read, asked, answer } = createStage()
    const observer = new Observer<Todo>(controller, read('a'), [])
    const waiting = observer.state()
    expect(waiting).toEqual({ data: undefined, loading: true, error: undefined, isLast: false })
    expect(Object.isFrozen(waiting)).toBe(true)
    expect(asked).toHaveLength(0)
    expect(observer.load()).toBe(waiting)
    expect(observer.load()).toBe(waiting)
    expect(asked).toHaveLength(1)
    await answer(sample)
    const ready = observer.load()
    expect(ready).toMatchObject({ data: sample, loading: false, error: undefined, isLast: false })
    await Promise.all([controller.fetch(read('a')), answer(sample)])
    expect(observer.load()).toBe(ready)
  })

  test('of no arguments neither loads nor failed', () => {
    const { controller, read, asked } = createStage()
    const observer = new Observer(controller, read('a'), [null])
    expect(observer.load()).toEqual({ data: undefined, loading: false, error: undefined, isLast: false })
    expect(asked).toHaveLength(0)
  })

  test('waits on while its endpoint is aborted, without asking', () => {
    const { controller, read, asked } = createStage()
    const endpoint = read('a').extend({ signal: AbortSignal.abort() })
    const observer = new Observer(controller, endpoint, [])
    expect(observer.load()).toMatchObject({ loading: true })
    expect(asked).toHaveLength(0)
  })
})

test('the next request is that of the endpoint that was followed', async () => {
  const { controller, read, asked, answer } = createStage()
  const observer = new Observer(controller, read('a'), [])
  observer.readOrFetch()
  await answer(sample)
  observer.follow(read('b'), [])
  controller.invalidate(read('a'))
  observer.readOrFetch()
  expect(asked.map(({ token }) => token)).toEqual(['a', 'b'])
})

test('user code that throws while it reads is one error to its readers, makes no request, and heals', async () => {
  const controller = new Controller()
  let isBroken = true
  const brittle = {
    normalize: (input: unknown) => input,
    denormalize: () => {
      if (isBroken) throw new Error('cannot read')
      return 'read'
    },
    queryKey: () => 'known',
  }
  let requests = 0
  const endpoint = new Endpoint(
    () => {
      requests++
      return Promise.resolve('again')
    },
    { name: 'brittle', schema: brittle },
  )
  const observer = new Observer(controller, endpoint, [])
  const failed = observer.readOrFetch()
  expect(failed).toMatchObject({ state: 'error', error: { message: 'cannot read' } })
  expect(observer.getSnapshot()).toBe(observer.getSnapshot())
  expect(observer.readOrFetch()).toEqual(failed)
  observer.fetchIfDue()
  expect(requests).toBe(0)
  takeBackError(observer)
  expect(observer.readOrFetch()).toMatchObject({ state: 'pending' })
  expect(requests).toBe(1)
  isBroken = false
  await new Promise((resolve) => setTimeout(resolve))
  expect(observer.readOrFetch()).toEqual({ state: 'success', data: 'read' })
  expect(requests).toBe(1)
})

test('tells whether endpoint and arguments name its call, which may be made anew', () => {
  const { controller, read } = createStage()
  const endpoint = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
    name: 'getTodo',
    schema: Todo,
  })
  const observer = new Observer(controller, endpoint, [{ id: 5 }])
  expect(observer.isOf(endpoint, [{ id: 5 }])).toBe(true)
  expect(observer.isOf(endpoint, [{ id: 6 }])).toBe(false)
  expect(observer.isOf(read('a'), [{ id: 5 }])).toBe(false)
  expect(observer.isOf(endpoint, [null])).toBe(false)
  const ofNothing = new Observer(controller, endpoint, [null])
  expect(ofNothing.isOf(endpoint, [null])).toBe(true)
  expect(ofNothing.isOf(endpoint, [{ id: 5 }])).toBe(false)
})

describe('the first render of a reader that does not wait', () => {
  const read = (controller: Controller, endpoint: CacheableEndpoint) => new Observer(controller, endpoint, [])

  test('repeats that it was without data on the server, and only there where it was', async () => {
    const onServer = createStage()
    const endpoint = onServer.read('a')
    const above = read(onServer.controller, endpoint)
    expect(repeat(onServer.controller, 'above', above.load(), stateOfLoading)).toBe(stateOfLoading)
    await onServer.answer(sample)
    const below = read(onServer.controller, endpoint)
    expect(repeat(onServer.controller, 'below', below.load(), stateOfLoading)).toMatchObject({
      loading: false,
    })
    const state = dehydrate(onServer.controller)
    expect(state.blanks).toEqual(['above'])

    const { controller } = createStage()
    hydrate(controller, JSON.parse(JSON.stringify(state)))
    const reader = read(controller, endpoint)
    expect(repeat(controller, 'above', reader.load(), stateOfLoading)).toBe(stateOfLoading)
    expect(repeat(controller, 'below', reader.load(), stateOfLoading)).toBe(reader.state())
    expect(dehydrate(controller).blanks).toBeUndefined()
  })

  test('is forgotten where it is rendered again with data, and when it is over', async () => {
    const { controller, answer, read: endpointOf } = createStage()
    const endpoint = endpointOf('a')
    const reader = read(controller, endpoint)
    for (const place of ['a', 'b']) repeat(controller, place, reader.load(), stateOfLoading)
    expect(dehydrate(controller).blanks).toEqual(['a', 'b'])
    endRepeat(controller, 'b')
    expect(dehydrate(controller).blanks).toEqual(['a'])
    await answer(sample)
    expect(repeat(controller, 'a', reader.load(), stateOfLoading)).toMatchObject({ data: sample })
    expect(dehydrate(controller).blanks).toBeUndefined()
  })
})
