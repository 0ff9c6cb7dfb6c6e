import type { Library } from '../screen/library.js'

/** One side of the page, as the script uses it. */
export interface Stage {
  readonly library: Library
  /** The element of the side: another one after it was mounted anew. */
  readonly side: HTMLElement
  /** Mounts the side anew, with an empty cache. */
  readonly mount: () => void
  /** The script ends when it is aborted. */
  readonly signal: AbortSignal
}
