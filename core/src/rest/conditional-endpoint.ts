import type { CallContext } from '../endpoint/endpoint.js'
import { isReadMethod } from '../endpoint/exchange.js'
import { NetworkError } from '../errors.js'
import { RestEndpoint } from './rest-endpoint.js'
import type { RestArgs, RestOptions, RestValue } from './rest-types.js'

/** What a Controller keeps of an address. */
interface Validated {
  readonly etag: string
  /** What its last response was processed to; `undefined` after a mutation. */
  readonly value: unknown
  /** The endpoint that has read the response. */
  readonly by: RestEndpoint | undefined
}

/** The addresses that a Controller keeps. The one that was fetched the longest time ago leaves. */
const mostKept = 200

/**
 * A RestEndpoint that fetches only what has changed: it sends the `ETag` of the last response as `If-None-Match`. The
 * response 304 then counts as the same response again. No body is sent or parsed, and the data is as fresh as after any response.
 *
 * From another origin, the server has to allow the request headers `If-None-Match` and `If-Match`, and to expose `ETag`.
 *
 * @see specification 4.3, Conditional requests
 * @example
 * const todoResource = createResource({ path: '/todo/:id', schema: Todo, Endpoint: ConditionalEndpoint })
 */
export class ConditionalEndpoint<
  const Options extends RestOptions = RestOptions,
> extends RestEndpoint<Options> {
  /**
   * Sends the last `ETag` of the address with each `PUT`, `PATCH` and `DELETE`, as `If-Match`: the server refuses the change of a
   * record that someone else has changed, with status 412. A weak `ETag` is not sent. Override it in a subclass.
   *
   * @default false
   */
  get ifMatch(): boolean {
    return false
  }

  /** The response is kept for the next 304, so the store must copy it. */
  override get ownsPayload(): boolean {
    return false
  }

  /** @internal */
  override async send(args: RestArgs<Options>, context: CallContext = {}): Promise<RestValue<Options>> {
    const { kept } = context as { readonly kept?: Map<string, Validated> }
    if (kept === undefined) return super.send(args, context)
    const url = this.url(...args)
    const known = kept.get(url)
    const isRead = isReadMethod(this.method)
    const headers: Record<string, string> = { ...context.headers }
    const isReadAgain = isRead && known?.by !== undefined && this.readsAs(known.by)
    const isChecked = this.ifMatch && /^(PUT|PATCH|DELETE)$/.test(this.method)
    if (known !== undefined && isReadAgain) headers['If-None-Match'] = known.etag
    if (known !== undefined && isChecked && !known.etag.startsWith('W/')) headers['If-Match'] = known.etag
    let etag: string | null | undefined
    // A step of this call alone: several may be on their way.
    const fetchResponse: typeof this.fetchResponse = async (...sent) => {
      const response = await this.fetchResponse(...sent)
      etag = response.headers.get('ETag')
      return response
    }
    const self = Object.create(this, { fetchResponse: { value: fetchResponse } }) as this
    const keep = (next: Validated | undefined) => {
      kept.delete(url)
      if (next !== undefined) kept.set(url, next)
      const [oldest = ''] = kept.keys()
      if (kept.size > mostKept) kept.delete(oldest)
    }
    try {
      const value = await super.send.call(self, args, { ...context, headers })
      const by = isRead ? (this as unknown as RestEndpoint) : undefined
      keep(etag ? { etag, value: isRead ? value : undefined, by } : undefined)
      return value as RestValue<Options>
    } catch (error) {
      const { status } = error instanceof NetworkError ? error : {}
      if (status === 304 && isReadAgain) {
        keep(known)
        return known?.value as RestValue<Options>
      }
      // What is known of the record is old.
      if (status === 412) keep(undefined)
      throw error
    }
  }
}
