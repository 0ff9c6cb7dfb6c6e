import { describe, expect, inject, test, vi } from 'vitest'
import { Controller, Endpoint } from '../index.js'
import { Observer } from '../bindings.js'
import type { Progress } from '../index.js'
import { BlobEndpoint, ObjectUrlEndpoint, fetchByXhr, fetchWithProgress, getImage } from '../media.js'
import { NetworkError, RestEndpoint } from '../rest.js'

const urlPrefix = inject('mediaServer')

/** The server's description of a received request. */
interface Received {
  readonly method: string
  readonly bytes: number
  readonly type?: string
  readonly token?: string
}

const upload = new RestEndpoint({
  urlPrefix,
  path: '/upload/:id',
  method: 'POST',
  fetchResponse: fetchByXhr,
  process: (value: Received) => value,
})
const megabytes = (count: number) => new Blob([new Uint8Array(count * 1024 * 1024)], { type: 'image/png' })

describe('fetchByXhr', () => {
  test('sends what fetch would send, and answers with a Response', async () => {
    const response = await fetchByXhr(`${urlPrefix}/upload/1`, {
      method: 'PUT',
      headers: { 'X-Token': 'secret', 'Content-Type': 'application/json' },
      body: '{"a":1}',
    })
    expect(response).toBeInstanceOf(Response)
    expect([response.status, response.statusText, response.ok]).toEqual([201, 'Created', true])
    expect(response.url).toBe(`${urlPrefix}/upload/1`)
    expect(response.headers.get('x-answer')).toBe('yes')
    expect(await response.json()).toEqual({
      method: 'PUT',
      bytes: 7,
      type: 'application/json',
      token: 'secret',
    })
  })

  test.each([
    ['a file', megabytes(1), 'image/png', 1024 * 1024],
    ['search params', new URLSearchParams('a=1'), 'application/x-www-form-urlencoded;charset=UTF-8', 3],
    ['a stream, which is read first', new Response('abc').body!, undefined, 3],
  ])('sends %s', async (_, body, type, bytes) => {
    expect(await upload({ id: 1 }, body)).toEqual({ method: 'POST', bytes, type })
  })

  test('sends a form with its boundary', async () => {
    const form = new FormData()
    form.set('file', megabytes(1), 'a.png')
    const { type, bytes } = await upload({ id: 1 }, form)
    expect(type).toMatch(/^multipart\/form-data; boundary=/)
    expect(bytes).toBeGreaterThan(1024 * 1024)
  })

  test('says how much was sent, from nothing to all', async () => {
    const told: Progress[] = []
    const init = { method: 'POST', body: megabytes(4) }
    await fetchByXhr(`${urlPrefix}/upload/1`, init, (progress) => told.push(progress))
    const uploads = told.filter(({ direction }) => direction === 'upload')
    const total = 4 * 1024 * 1024
    expect(uploads[0]).toEqual({ direction: 'upload', loaded: 0, total })
    expect(uploads.at(-1)).toEqual({ direction: 'upload', loaded: total, total })
    const loaded = uploads.map((progress) => progress.loaded)
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b))
  })

  test('says how much of an answer has come', async () => {
    const told: Progress[] = []
    const response = await fetchByXhr(`${urlPrefix}/file`, {}, (progress) => told.push(progress))
    expect((await response.text()).length).toBe(4000)
    expect(told[0]).toMatchObject({ direction: 'download', loaded: 0 })
    expect(told.at(-1)).toEqual({ direction: 'download', loaded: 4000, total: 4000 })
  })

  test('has no body where there must be none', async () => {
    const response = await fetchByXhr(`${urlPrefix}/empty`, {})
    expect([response.status, response.body]).toEqual([204, null])
  })

  test('fails as an endpoint over fetch does', async () => {
    const refused = upload.extend({ path: '/refused', name: 'refused' })
    const error = await refused().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ status: 409, body: { reason: 'taken' } })
    const unreachable = upload.extend({ urlPrefix: 'http://127.0.0.1:1', path: '/none', name: 'unreachable' })
    await expect(unreachable()).rejects.toThrow(
      'unreachable failed: no response from POST http://127.0.0.1:1/none',
    )
  })

  test('rejects with the reason of its signal, before and while it runs', async () => {
    const controller = new AbortController()
    const running = fetchByXhr(`${urlPrefix}/never`, { signal: controller.signal })
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort()
    await expect(running).rejects.toBe(controller.signal.reason)
    expect(controller.signal.reason).toMatchObject({ name: 'AbortError' })
    await expect(fetchByXhr(`${urlPrefix}/never`, { signal: controller.signal })).rejects.toBe(
      controller.signal.reason,
    )
  })

  test('refuses to send credentials that were to be left out', async () => {
    await expect(fetchByXhr('/here', { credentials: 'omit' })).rejects.toThrow(
      'fetchByXhr() cannot send a request to /here without credentials',
    )
    expect((await fetchByXhr(`${urlPrefix}/upload/1`, { credentials: 'omit' })).status).toBe(201)
    expect((await fetchByXhr(`${urlPrefix}/upload/1`, { credentials: 'include' })).status).toBe(201)
  })
})

describe('progress in a snapshot', () => {
  test('of an upload, from its start to its end', async () => {
    const controller = new Controller()
    const seen: { fetching: boolean; progress: Progress | undefined }[] = []
    const body = megabytes(4)
    const end = controller.subscribe(upload, { id: 1 }, body, ({ fetching, progress }) =>
      seen.push({ fetching, progress }),
    )
    await controller.fetch(upload, { id: 1 }, body)
    await Promise.resolve()
    end()
    const total = 4 * 1024 * 1024
    expect(seen).toContainEqual({ fetching: true, progress: { direction: 'upload', loaded: 0, total } })
    expect(seen).toContainEqual({ fetching: true, progress: { direction: 'upload', loaded: total, total } })
    expect(seen.at(-1)).toEqual({ fetching: false, progress: undefined })
  })

  test('of a download by fetch', async () => {
    const controller = new Controller()
    const getFile = new BlobEndpoint({ urlPrefix, path: '/file', fetchResponse: fetchWithProgress })
    const loaded: (number | undefined)[] = []
    const end = controller.subscribe(getFile, ({ progress }) => loaded.push(progress?.loaded))
    const blob = await controller.fetch(getFile)
    end()
    expect([blob.size, blob.type]).toEqual([4000, 'text/plain'])
    expect(loaded.filter((count) => count !== undefined).length).toBeGreaterThan(2)
    expect(loaded).toContain(4000)
    expect(loaded.at(-1)).toBe(undefined)
  })
})

describe('getImage', () => {
  test('resolves with the address once the image is decoded', async () => {
    const src = `${urlPrefix}/image.png`
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode')
    const controller = new Controller()
    const observer = new Observer(controller, getImage, [{ src }])
    const reading = observer.readOrFetch()
    expect(reading.state).toBe('pending')
    if (reading.state === 'pending') await reading.promise
    expect(observer.readOrFetch()).toEqual({ state: 'success', data: src })
    expect(decode).toHaveBeenCalledTimes(1)
    await expect(decode.mock.results[0]!.value).resolves.toBe(undefined)
    decode.mockRestore()
  })

  test('takes what else decides what is loaded', async () => {
    const src = `${urlPrefix}/image.png`
    expect(
      await getImage({ src: '/none.png', srcset: `${src} 1x`, sizes: '1px', crossOrigin: 'anonymous' }),
    ).toBe('/none.png')
  })

  test('ends loading when it is aborted', async () => {
    const abort = new AbortController()
    const loading = getImage.extend({ signal: abort.signal })({ src: `${urlPrefix}/never` })
    setTimeout(() => abort.abort(), 20)
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('rejects for what is no image, naming it', async () => {
    await expect(getImage({ src: `${urlPrefix}/no-image.png` })).rejects.toMatchObject({
      code: 'image-unusable',
      message: expect.stringContaining('/no-image.png') as string,
    })
  })
})

describe('ObjectUrlEndpoint', () => {
  const getUrl = new ObjectUrlEndpoint({ urlPrefix, path: '/image.png' })
  const isUsable = (url: string) =>
    fetch(url).then(
      () => true,
      () => false,
    )
  const macrotask = () => new Promise((resolve) => setTimeout(resolve, 5))

  test('gives an address that shows the file, until a newer answer takes its place', async () => {
    const controller = new Controller()
    const first = await controller.fetch(getUrl)
    expect(first).toMatch(/^blob:/)
    expect((await (await fetch(first)).blob()).type).toBe('image/png')
    const second = await controller.fetch(getUrl)
    await macrotask()
    expect([await isUsable(first), await isUsable(second)]).toEqual([false, true])
    controller.resetAll()
    await macrotask()
    expect(await isUsable(second)).toBe(false)
  })

  test('gives it up when its call is collected, or the Controller disposed of', async () => {
    const collecting = new Controller({ keepLength: 10 })
    const url = await collecting.fetch(getUrl)
    await vi.waitFor(async () => expect(await isUsable(url)).toBe(false))
    const disposed = new Controller()
    const another = await disposed.fetch(getUrl)
    disposed.dispose()
    await macrotask()
    expect(await isUsable(another)).toBe(false)
  })

  test('is shown by getImage', async () => {
    const controller = new Controller()
    const src = await controller.fetch(getUrl)
    expect(await controller.fetch(getImage, { src })).toBe(src)
  })
})

test('an endpoint that is no REST endpoint has no progress', async () => {
  const controller = new Controller()
  const endpoint = new Endpoint(() => Promise.resolve(1), { name: 'one' })
  const fetched = controller.fetch(endpoint)
  expect(controller.read(endpoint)).toMatchObject({ fetching: true, progress: undefined })
  await fetched
})
