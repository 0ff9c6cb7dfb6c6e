/** A body for `fetch`, and the headers that it needs. */
export interface EncodedBody {
  readonly body: BodyInit | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Encodes a body: data becomes JSON. A body that `fetch` can send itself is not changed, and sets its own content type.
 *
 * @see specification 4, E7
 */
export function encodeBody(body: unknown): EncodedBody {
  if (body === undefined) return { body: undefined, headers: {} }
  if (isSentAsIs(body)) return { body, headers: {} }
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

function isSentAsIs(body: unknown): body is BodyInit {
  return (
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    [FormData, Blob, URLSearchParams, ArrayBuffer, ReadableStream].some((Kind) => body instanceof Kind)
  )
}
