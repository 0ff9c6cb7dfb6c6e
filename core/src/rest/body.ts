import { jsonTextOf } from '../util/plain.js'

/** A part of the init of `fetch`: the body, and the headers that it needs. */
export interface EncodedBody {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: BodyInit
  readonly duplex?: 'half'
}

/**
 * Encodes a body: data becomes JSON, in which a Map is an object and a Set a list. A body that `fetch` can send itself is not changed, and sets its own content type.
 *
 * @see specification 4, E7
 */
export function encodeBody(body: unknown): EncodedBody {
  if (body === undefined) return { headers: {} }
  // A `ReadableStream`, of which React Native has no class. The Fetch standard demands `duplex` for a body of unknown length.
  if (typeof (body as ReadableStream | null)?.getReader === 'function')
    return { headers: {}, body: body as ReadableStream, duplex: 'half' }
  if (isSentAsIs(body)) return { headers: {}, body }
  return { headers: { 'Content-Type': 'application/json' }, body: jsonTextOf(body) }
}

function isSentAsIs(body: unknown): body is BodyInit {
  return (
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    [FormData, Blob, URLSearchParams, ArrayBuffer].some((Kind) => body instanceof Kind)
  )
}
