import type { BoundaryContext } from './context.js'

/** On a server nothing is suspended in place: content without data is an error, or waited for. */
export function suspendInPlace(_context: BoundaryContext): (() => void) | undefined {
  return undefined
}

export function reconnect(): void {}
