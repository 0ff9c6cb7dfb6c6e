import { sendRequest } from '../endpoint/transport.js'
import type { TransportInit } from '../endpoint/transport.js'
import type { ProgressListener } from '../util/progress.js'

/**
 * `fetch` that says how much of the response has come. Takes the place of `fetchResponse` of a REST endpoint; its
 * progress is then in the snapshot of the call, and `useProgress` shows it.
 *
 * The total is known where the server sends a `Content-Length` and does not compress. It says nothing about what is
 * sent, because `fetch` does not: see `fetchByXhr`.
 *
 * @param onProgress - given by the Controller; without it this is `fetch`
 * @example
 * const getReport = new BlobEndpoint({ path: '/report/:id.pdf', fetchResponse: fetchWithProgress })
 */
export async function fetchWithProgress(
  url: string,
  init: TransportInit,
  onProgress?: ProgressListener,
): Promise<Response> {
  const response = await sendRequest(url, init)
  return onProgress === undefined ? response : watchBody(response, onProgress)
}

function watchBody(response: Response, onProgress: ProgressListener): Response {
  const { body, status, statusText, headers } = response
  // What has no body, or one that must not be looked at, has no progress.
  if (body === null) return response
  const total = lengthOf(headers)
  let loaded = 0
  const report = () => onProgress({ direction: 'download', loaded, total })
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    start: report,
    transform(chunk, controller) {
      loaded += chunk.byteLength
      report()
      controller.enqueue(chunk)
    },
  })
  const watched = new Response(body.pipeThrough(counter), { status, statusText, headers })
  // Messages name the address that answered.
  Object.defineProperty(watched, 'url', { value: response.url })
  return watched
}

/** Of what is read from the body: the header counts what was sent, which differs when it was compressed. */
function lengthOf(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  return length === null || headers.has('content-encoding') ? undefined : Number(length)
}
