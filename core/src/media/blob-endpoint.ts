import { RestEndpoint } from '../rest/rest-endpoint.js'
import type { RestOptions } from '../rest/rest-types.js'

/** The options of an endpoint whose response is a file. There is no schema: the file is stored as it is. */
export interface BlobOptions extends RestOptions {
  readonly schema?: undefined
}

/** Options with a `Blob` as the result, unless `process` returns another value. */
export type WithBlob<Options extends RestOptions> = Options extends {
  readonly process: (...args: never) => unknown
}
  ? Options
  : Options & { readonly process: (blob: Blob) => Blob }

/**
 * Describes a call whose response is a file: a `Blob` of the content type of the response.
 *
 * @see specification 4.3, Media
 * @example
 * const getReport = new BlobEndpoint({ path: '/report/:id.pdf' })
 * const report = useSuspense(getReport, { id: 5 }) // Blob
 */
export class BlobEndpoint<const Options extends BlobOptions = BlobOptions> extends RestEndpoint<
  WithBlob<Options>
> {
  /** @throws {SelfsameError} `path-invalid`, `definition-invalid` */
  constructor(options: Options) {
    // The type adds only the result of `process`.
    super(options as WithBlob<Options>)
  }

  /** Reads the body as a `Blob`, whatever its content type. */
  override parseResponse(response: Response): Promise<unknown> {
    return response.blob()
  }
}
