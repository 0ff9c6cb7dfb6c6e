import { sendRequest } from '../endpoint/transport.js'
import type { TransportInit } from '../endpoint/transport.js'
import type { ProgressListener } from '../util/progress.js'

/**
 * Reports the progress of a download. Use it as the option `fetchResponse` of a REST endpoint, and show the progress with
 * `useProgress`.
 *
 * The total is known if the server sends `Content-Length` and does not compress. For the progress of an upload, use
 * `fetchByXhr`.
 *
 * @param onProgress - called with the progress. Set if a Controller calls; without it this is `fetch`
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
  // Without a readable body there is no progress.
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
  // Messages contain the final address, after redirects.
  Object.defineProperty(watched, 'url', { value: response.url })
  return watched
}

/** The length of the body that is read; unknown if the body was compressed, because the header counts compressed bytes. */
function lengthOf(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  return length === null || headers.has('content-encoding') ? undefined : Number(length)
}
