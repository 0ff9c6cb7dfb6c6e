import { RestEndpoint } from '../rest/rest-endpoint.js'
import type { RestOptions } from '../rest/rest-types.js'

/** What an endpoint may say whose value is an object URL. */
export interface ObjectUrlOptions extends RestOptions {
  readonly schema?: undefined
  readonly process?: undefined
  readonly dispose?: undefined
}

/** Options whose value is the address of an object. */
export type WithObjectUrl<Options extends RestOptions> = Options & {
  readonly process: (blob: Blob) => string
}

/**
 * A call that is answered with a file, read as an object URL: `blob:…`, for `src` and `href`. For files that need a
 * header to be fetched, which `<img src>` cannot send.
 *
 * The Controller revokes the URL when it drops the response: a newer one took its place, no reader used
 * the call for a while, or everything was reset. A caller without a Controller has to revoke it.
 *
 * @see specification 4.3, Media
 * @example
 * const getAvatar = new ObjectUrlEndpoint({ path: '/user/:id/avatar' })
 * const src = useSuspense(getAvatar, { id: 5 })
 */
export class ObjectUrlEndpoint<
  const Options extends ObjectUrlOptions = ObjectUrlOptions,
> extends RestEndpoint<WithObjectUrl<Options>> {
  /** @throws {SelfsameError} `path-invalid`, `definition-invalid` */
  constructor(options: Options) {
    // The type only adds what `process` gives.
    super({ ...options, dispose: revoke } as unknown as WithObjectUrl<Options>)
  }

  /** Reads the body as it is, whatever its type. */
  override parseResponse(response: Response): Promise<unknown> {
    return response.blob()
  }

  override process(blob: Blob): string {
    return URL.createObjectURL(blob)
  }
}

function revoke(url: string): void {
  URL.revokeObjectURL(url)
}
