// What the pages of one browser share. A platform may lack any of it, or refuse it by an error: then all is as without it.
import { indexedDbStorage } from '../storage/indexed-db-storage.js'
import type { RowStorage } from '../storage/row-storage.js'

/** The part of a `BroadcastChannel` that is used. */
interface AnyChannel {
  postMessage(message: unknown): void
  close(): void
}

/** The part of `navigator.locks` that is used. */
export interface AnyLocks {
  request<Value>(
    name: string,
    options: { readonly signal?: AbortSignal; readonly ifAvailable?: boolean },
    run: (lock: object | null) => Promise<Value>,
  ): Promise<Value>
}

/** Looks for a part of the platform. @returns `undefined` for what it lacks, and for what it refuses by an error */
export function ifGiven<Value>(find: () => Value | null | undefined): Value | undefined {
  try {
    return find() ?? undefined
  } catch {
    return undefined
  }
}

/** `true` in the page of a browser: on a server nothing is shared, and nothing is missing. */
export function isPage(): boolean {
  return typeof document !== 'undefined'
}

/** @param open - `null` for none @default a `BroadcastChannel` */
export function openChannel<Channel extends AnyChannel>(
  name: string,
  open: ((name: string) => Channel) | null | undefined,
): Channel | undefined {
  return ifGiven(() =>
    open === undefined ? (new BroadcastChannel(name) as AnyChannel as Channel) : open?.(name),
  )
}

/**
 * Finds locks. When the platform refuses the first one, it is asked no more, and all run without.
 *
 * @param given - `null` for none @default `navigator.locks`
 * @param onMissing - called once: now, or when a lock is refused; not if none are wanted
 */
export function findLocks(given: AnyLocks | null | undefined, onMissing: () => void): AnyLocks | undefined {
  let locks = ifGiven(() => (given === undefined ? (navigator.locks as AnyLocks | null) : given))
  if (given === undefined && !locks) onMissing()
  return (
    locks && {
      async request(name, options, run) {
        let isGranted = false
        try {
          if (locks)
            return await locks.request(name, options, (lock) => {
              isGranted = true
              return run(lock)
            })
        } catch (error) {
          if (isGranted || options.signal?.aborted === true) throw error
          if (locks) onMissing()
          locks = undefined
        }
        return run({})
      },
    }
  )
}

/** The storage that was given, or that of the browser; `undefined` on a server. */
export function findStorage(given: RowStorage | undefined): RowStorage | undefined {
  return given ?? (isPage() || ifGiven(() => indexedDB) ? indexedDbStorage() : undefined)
}
