import { RestEndpoint } from '../rest/rest-endpoint.js'
import type { RestOptions } from '../rest/rest-types.js'

/** The options of an endpoint whose result is an object URL. */
export interface ObjectUrlOptions extends RestOptions {
  readonly schema?: undefined
  readonly process?: undefined
  readonly dispose?: undefined
}

/** Options with an object URL as the result. */
export type WithObjectUrl<Options extends RestOptions> = Options & {
  readonly process: (blob: Blob) => string
}

/**
 * Describes a call whose response is a file, read as an object URL (`blob:…`) for `src` and `href`. Use it for files that
 * need a request header, which `<img src>` cannot send.
 *
 * The Controller revokes the URL when it drops the response: after a newer response, after garbage collection, or after
 * a reset. Without a Controller, revoke it yourself.
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
    // The type adds only the result of `process`.
    super({ ...options, dispose: revoke } as unknown as WithObjectUrl<Options>)
  }

  /** Reads the body as a `Blob`, whatever its content type. */
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
