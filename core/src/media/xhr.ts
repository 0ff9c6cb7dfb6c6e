import * as errors from '../errors.js'
import { displayOf } from '../errors.js'
import type { TransportInit } from '../endpoint/transport.js'
import type { ProgressListener } from '../util/progress.js'
import { fetchWithProgress } from './download.js'

/**
 * Reports the progress of an upload. Use it as the option `fetchResponse` of a REST endpoint, and show the progress with
 * `useProgress`. It sends the request by `XMLHttpRequest`; on a server, which has none, it is `fetchWithProgress`.
 *
 * It uses `method`, `headers`, `body`, `credentials` and `signal` of `init`. A stream is read to its end before it is sent.
 * A request to another origin gets a CORS preflight, because the upload has listeners.
 *
 * @param onProgress - called with the progress. Set if a Controller calls
 * @returns a response whose body was received
 * @throws {TypeError} without a response, as `fetch` does; the reason of the signal if it is aborted; {SelfsameError}
 *   `argument-invalid` for `credentials: 'omit'` to the page's own origin, which `XMLHttpRequest` cannot do
 * @example
 * const upload = new RestEndpoint({ path: '/file', method: 'POST', fetchResponse: fetchByXhr })
 */
export async function fetchByXhr(
  url: string,
  init: TransportInit,
  onProgress?: ProgressListener,
): Promise<Response> {
  if (typeof XMLHttpRequest === 'undefined') return fetchWithProgress(url, init, onProgress)
  if (init.credentials === 'omit' && isOwnOrigin(url)) throw errors.credentialsNotOmitted(displayOf(url))
  const body = await toSendable(init.body)
  init.signal?.throwIfAborted()
  const xhr = open(url, init)
  if (onProgress !== undefined) watch(xhr, body !== null, onProgress)
  return send(xhr, body, init.signal ?? undefined)
}

function open(url: string, { method = 'GET', headers, credentials }: RequestInit): XMLHttpRequest {
  const xhr = new XMLHttpRequest()
  xhr.open(method, url)
  xhr.responseType = 'blob'
  xhr.withCredentials = credentials === 'include'
  for (const [name, value] of new Headers(headers)) xhr.setRequestHeader(name, value)
  return xhr
}

function watch(xhr: XMLHttpRequest, hasBody: boolean, onProgress: ProgressListener): void {
  const report = (direction: 'upload' | 'download') => (event: ProgressEvent) =>
    onProgress({ direction, loaded: event.loaded, total: event.lengthComputable ? event.total : undefined })
  if (hasBody) {
    for (const type of ['loadstart', 'progress', 'load'] as const) {
      xhr.upload.addEventListener(type, report('upload'))
    }
  } else xhr.addEventListener('loadstart', report('download'))
  xhr.addEventListener('progress', report('download'))
}

function send(
  xhr: XMLHttpRequest,
  body: XMLHttpRequestBodyInit | null,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return new Promise<Response>((resolve, reject) => {
    const abort = () => xhr.abort()
    signal?.addEventListener('abort', abort)
    xhr.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
    // Rejects with the reason of the signal, as `fetch` does.
    xhr.addEventListener('abort', () => reject(signal?.reason as Error))
    xhr.addEventListener('error', () => reject(new TypeError('XMLHttpRequest got no answer')))
    xhr.addEventListener('load', () => {
      try {
        resolve(responseOfXhr(xhr))
      } catch (error) {
        reject(error as Error)
      }
    })
    xhr.send(body)
  })
}

/** The statuses of a `Response` without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

function responseOfXhr(xhr: XMLHttpRequest): Response {
  const { status, statusText, responseURL } = xhr
  const body = bodiless.has(status) ? null : (xhr.response as Blob | null)
  const response = new Response(body, { status, statusText, headers: readHeaders(xhr) })
  // Messages contain the final address, after redirects.
  Object.defineProperty(response, 'url', { value: responseURL })
  return response
}

function readHeaders(xhr: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of xhr.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}

async function toSendable(body: BodyInit | null | undefined): Promise<XMLHttpRequestBodyInit | null> {
  // React Native has no class of streams.
  const isStream = typeof ReadableStream !== 'undefined' && body instanceof ReadableStream
  return isStream ? new Response(body).blob() : ((body ?? null) as XMLHttpRequestBodyInit | null)
}

function isOwnOrigin(url: string): boolean {
  return new URL(url, location.href).origin === location.origin
}
