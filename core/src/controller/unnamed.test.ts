import { describe, expect, test, vi } from 'vitest'
import { Endpoint } from '../endpoint/endpoint.js'
import { dehydrate } from '../hydration/hydrate.js'
import { Observer } from '../observer/observer.js'
import { nextTask } from '../testing/next-task.js'
import { Controller } from './controller.js'

const refusal = expect.objectContaining({ code: 'definition-invalid' })

/** A component that creates its Endpoint in each render. Only the last render is committed. */
function stage() {
  const fetchNow = vi.fn(() => Promise.resolve('now'))
  const controller = new Controller()
  const read = () => new Observer(controller, new Endpoint(() => fetchNow()), [])
  return { controller, fetchNow, read }
}

describe('an Endpoint without a name that is made anew in each render', () => {
  test('is refused once two of them were answered and nobody showed an answer', async () => {
    const { fetchNow, read } = stage()
    for (let render = 0; render < 2; render++) {
      expect(read().readOrFetch().state).toBe('pending')
      await nextTask()
    }
    for (let render = 0; render < 3; render++)
      expect(read().readOrFetch()).toEqual({ state: 'error', error: refusal })
    expect(fetchNow).toHaveBeenCalledTimes(2)
  })

  test('is refused where each fails', async () => {
    const { fetchNow, read } = stage()
    fetchNow.mockImplementation(() => Promise.reject(new Error('no')))
    for (let render = 0; render < 2; render++) {
      expect(read().readOrFetch().state).toBe('pending')
      await nextTask()
    }
    expect(read().readOrFetch()).toEqual({ state: 'error', error: refusal })
    expect(fetchNow).toHaveBeenCalledTimes(2)
  })

  test('is refused where a reader on screen was told of the answer, and rendered another', async () => {
    const { controller, fetchNow } = stage()
    const render = async () => {
      const endpoint = new Endpoint(() => fetchNow())
      const observer = new Observer(controller, endpoint, [])
      observer.follow(endpoint, [])
      observer.load()
      const release = observer.retain()
      const end = observer.subscribe(() => observer.load())
      await nextTask()
      return () => {
        end()
        release()
        return observer.load()
      }
    }
    for (let count = 0; count < 2; count++) (await render())()
    expect((await render())()).toEqual({ data: undefined, loading: false, error: refusal, isLast: false })
    expect(fetchNow).toHaveBeenCalledTimes(2)
  })

  test('is refused where a reader only asks, and never comes on screen', async () => {
    const { fetchNow, read } = stage()
    for (let render = 0; render < 2; render++) {
      read().fetchIfDue()
      await nextTask()
    }
    const observer = read()
    observer.fetchIfDue()
    expect(observer.failure()).toEqual(refusal)
    expect(fetchNow).toHaveBeenCalledTimes(2)
  })
})

describe('an Endpoint without a name', () => {
  test('may be made for each reader that shows its answer', async () => {
    const { fetchNow, read } = stage()
    for (let mount = 0; mount < 5; mount++) {
      const observer = read()
      expect(observer.readOrFetch().state).toBe('pending')
      await nextTask()
      expect(observer.readOrFetch()).toEqual({ state: 'success', data: 'now' })
      observer.retain()()
      await nextTask()
    }
    for (let mount = 0; mount < 5; mount++) {
      const observer = read()
      observer.fetchIfDue()
      observer.retain()()
      await nextTask()
    }
    expect(fetchNow).toHaveBeenCalledTimes(10)
  })

  test('may be made for many readers at once', async () => {
    const { fetchNow, read } = stage()
    const observers = Array.from({ length: 5 }, read)
    for (const observer of observers) expect(observer.readOrFetch().state).toBe('pending')
    await nextTask()
    for (const observer of observers) expect(observer.readOrFetch().state).toBe('success')
    expect(fetchNow).toHaveBeenCalledTimes(5)
  })

  test('shares its answer with nobody', async () => {
    const controller = new Controller()
    const [one, two] = [() => Promise.resolve(1), () => Promise.resolve(2)].map((get) => new Endpoint(get))
    if (one === undefined || two === undefined) throw new Error('two were made')
    await controller.fetch(one)
    expect(controller.read(two).data).toBeUndefined()
    await expect(controller.fetchIfStale(two)).resolves.toBe(2)
  })

  test('is left out of a state for another page, which is said once', async () => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const controller = new Controller()
    const getNow = new Endpoint(async function getNow() {
      return Promise.resolve(1)
    })
    await controller.fetch(getNow)
    await controller.fetch(getNow.extend({ name: 'now' }))
    expect(dehydrate(controller).results).toMatchObject([{ key: 'now []' }])
    dehydrate(controller)
    expect(said.mock.calls).toEqual([
      [
        "[selfsame] dehydrate() leaves out the calls of the Endpoint getNow, because it has neither a `name` nor a `key`. Set `{ name: 'getNow' }`.",
      ],
    ])
    said.mockRestore()
  })
})
