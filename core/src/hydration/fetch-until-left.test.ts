import { expect, test, vi } from 'vitest'
import { fetchUntilLeft } from './fetch-until-left.js'

const isSettled = async (promise: Promise<unknown>) => {
  let settled = false
  const settle = () => void (settled = true)
  promise.then(settle, settle)
  await new Promise((resolve) => setTimeout(resolve, 0))
  return settled
}

test('gives the response, and lets it be read after the visitor has left', async () => {
  const left = new AbortController()
  const send = vi.fn<typeof fetch>(async () => new Response('text'))
  const response = await fetchUntilLeft(send, left.signal)('/a')
  left.abort()
  expect(send.mock.calls[0]?.[1]?.signal?.aborted).toBe(false)
  expect(await response.text()).toBe('text')
})

test('rejects like the request', async () => {
  const error = new TypeError('fetch failed')
  const send = () => Promise.reject(error)
  await expect(fetchUntilLeft(send, new AbortController().signal)('/a')).rejects.toBe(error)
})

test('aborts a request when the visitor leaves, and does not settle', async () => {
  const left = new AbortController()
  let sent: AbortSignal | null | undefined
  const send: typeof fetch = (_target, init) =>
    new Promise((_resolve, reject) => {
      sent = init?.signal
      sent?.addEventListener('abort', () => reject(sent?.reason))
    })
  const promise = fetchUntilLeft(send, left.signal)('/a')
  left.abort()
  expect(sent?.aborted).toBe(true)
  expect(await isSettled(promise)).toBe(false)
})

test('sends nothing after the visitor has left', async () => {
  const send = vi.fn<typeof fetch>()
  expect(await isSettled(fetchUntilLeft(send, AbortSignal.abort())('/a'))).toBe(false)
  expect(send).not.toHaveBeenCalled()
})

test("rejects when the caller's own signal aborts, also while the response is read", async () => {
  const own = new AbortController()
  let sent: AbortSignal | null | undefined
  const send: typeof fetch = async (_target, init) => {
    sent = init?.signal
    return new Response('text')
  }
  await fetchUntilLeft(send, new AbortController().signal)('/a', { signal: own.signal })
  own.abort()
  expect(sent?.aborted).toBe(true)
})
