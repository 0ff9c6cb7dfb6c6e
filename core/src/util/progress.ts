/** How far the transfer of a request or of its answer is. */
export interface Progress {
  /** What is being transferred: the body of the request, or that of the answer. */
  readonly direction: 'upload' | 'download'
  /** Bytes so far. */
  readonly loaded: number
  /** Bytes in all; `undefined` while nobody said so, as of an answer that is sent compressed. */
  readonly total: number | undefined
}

/** Is told how far a transfer is. */
export type ProgressListener = (progress: Progress) => void

/** Whether both say the same, so that a reader need not be told. */
export function isSameProgress(a: Progress | undefined, b: Progress | undefined): boolean {
  return a?.direction === b?.direction && a?.loaded === b?.loaded && a?.total === b?.total
}
