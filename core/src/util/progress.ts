/** The progress of an upload or a download. */
export interface Progress {
  /** `upload` for the body of the request, `download` for that of the response. */
  readonly direction: 'upload' | 'download'
  /** The number of bytes so far. */
  readonly loaded: number
  /** The number of all bytes; `undefined` if it is unknown, for example for a compressed response. */
  readonly total: number | undefined
}

/** Called with the progress of a transfer. */
export type ProgressListener = (progress: Progress) => void

/** Returns `true` if both are equal, so that readers need no notification. */
export function isSameProgress(a: Progress | undefined, b: Progress | undefined): boolean {
  return a?.direction === b?.direction && a?.loaded === b?.loaded && a?.total === b?.total
}
