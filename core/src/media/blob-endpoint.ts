import { RestEndpoint } from '../rest/rest-endpoint.js'
import type { RestOptions } from '../rest/rest-types.js'

/** What an endpoint may say whose answer is a file. It has no schema: a file is kept as it is. */
export interface BlobOptions extends RestOptions {
  readonly schema?: undefined
}

/** Options whose value is a `Blob`, unless `process` makes something else of it. */
export type WithBlob<Options extends RestOptions> = Options extends {
  // eslint-disable-next-line typescript/no-explicit-any
  readonly process: (...args: any) => unknown
}
  ? Options
  : Options & { readonly process: (blob: Blob) => Blob }

/**
 * A call that is answered with a file: its value is a `Blob` of the type that the server names.
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
    // The type only adds what `process` gives where it is not overridden.
    super(options as WithBlob<Options>)
  }

  /** Reads the body as it is, whatever its type. */
  override parseResponse(response: Response): Promise<unknown> {
    return response.blob()
  }
}
