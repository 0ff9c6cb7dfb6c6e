import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Progress } from '../util/progress.js'
import { BlobEndpoint, ObjectUrlEndpoint, fetchByXhr, fetchWithProgress, getImage } from '../media.js'

afterEach(() => vi.unstubAllGlobals())

const answerWith = (body: BodyInit | null, init: ResponseInit = {}) =>
  vi.stubGlobal('fetch', () => {
    const response = new Response(body, init)
    Object.defineProperty(response, 'url', { value: 'https://api.test/answered' })
    return Promise.resolve(response)
  })

async function progressOf(send: typeof fetchWithProgress, body: BodyInit | null, headers: HeadersInit = {}) {
  answerWith(body, { headers })
  const told: Progress[] = []
  const response = await send('/file', {}, (progress) => told.push(progress))
  const text = await response.text()
  return { response, text, told }
}

describe('fetchWithProgress', () => {
  test('says how much has come, of a total that the server names', async () => {
    const { response, text, told } = await progressOf(fetchWithProgress, 'abc', { 'content-length': '3' })
    expect([text, response.url]).toEqual(['abc', 'https://api.test/answered'])
    expect(told).toEqual([
      { direction: 'download', loaded: 0, total: 3 },
      { direction: 'download', loaded: 3, total: 3 },
    ])
  })

  test.each([
    ['no length', {}],
    ['the length of a compressed body', { 'content-length': '3', 'content-encoding': 'gzip' }],
  ])('knows no total from %s', async (_, headers) => {
    const { told } = await progressOf(fetchWithProgress, 'abcdef', headers)
    expect(told.at(-1)).toEqual({ direction: 'download', loaded: 6, total: undefined })
  })

  test('hands on an answer without a body', async () => {
    const { text, told } = await progressOf(fetchWithProgress, null)
    expect([text, told]).toEqual(['', []])
  })
})

describe('on a server', () => {
  test('fetchByXhr is fetchWithProgress', async () => {
    const { text, told } = await progressOf(fetchByXhr, 'abc', { 'content-length': '3' })
    expect([text, told.length]).toEqual(['abc', 2])
  })

  test('getImage resolves at once', async () => {
    expect(await getImage({ src: '/photo.jpg' })).toBe('/photo.jpg')
  })
})

describe('BlobEndpoint', () => {
  test('gives the file, whatever its type, also after extend', async () => {
    answerWith('{}', { headers: { 'content-type': 'application/json' } })
    const getFile = new BlobEndpoint({ path: '/file/:id' })
    const blob = await getFile.extend({ urlPrefix: 'https://api.test' })({ id: 1 })
    expect(blob).toBeInstanceOf(Blob)
    expect([blob.type, await blob.text()]).toEqual(['application/json', '{}'])
  })

  test('hands it to a process of its own', async () => {
    answerWith('abc')
    const getSize = new BlobEndpoint({ path: '/file', process: (blob: Blob) => blob.size })
    expect(await getSize()).toBe(3)
  })
})

test('the error of getImage shows the beginning of a data URL, which is the image itself', async () => {
  class FailingImage {
    src = ''
    decode() {
      return Promise.reject(new DOMException('no image', 'EncodingError'))
    }
  }
  vi.stubGlobal('Image', FailingImage)
  await expect(getImage({ src: `data:${'a'.repeat(300)}` })).rejects.toMatchObject({
    code: 'image-unusable',
    message: expect.stringContaining(`the image data:${'a'.repeat(195)}….\n`) as string,
    cause: expect.any(DOMException) as DOMException,
  })
})

test('an ObjectUrlEndpoint keeps what makes it one through extend', async () => {
  answerWith('abc')
  const getUrl = new ObjectUrlEndpoint({ path: '/file' }).extend({ path: '/other/:id' })
  const url = await getUrl({ id: 1 })
  expect(await (await import('node:buffer')).resolveObjectURL(url)?.text()).toBe('abc')
  getUrl.dispose?.(url)
  expect((await import('node:buffer')).resolveObjectURL(url)).toBe(undefined)
})
