import type { Observer } from './observer.js'

/** A reader of one call, of several, or of a list with pages. */
export interface Asking {
  readonly members: readonly Observer[]
  /** `true` while a further page is in flight. @default the reader has no pages */
  readonly isFetchingFurther?: boolean
}

/** What hooks return beside their state. */
export interface Asked {
  /** `true` while a request for the data is in flight, whatever is on screen, and whoever sent it. */
  readonly fetching: boolean
  /**
   * Fetches the data now, even if it is Valid; joins a request in flight. The promise resolves when the request ends, and
   * never rejects: `error` has the error.
   */
  readonly refetch: () => Promise<void>
}

/** Returns `true` while a request of a reader is in flight. */
export function isFetching(reader: Asking): boolean {
  return reader.isFetchingFurther === true || reader.members.some((member) => member.getSnapshot().fetching)
}

/** Fetches the calls of a reader now: `refetch` of its hook. */
export async function refetch({ members }: Asking): Promise<void> {
  await Promise.allSettled(
    members.map((member) =>
      member.inspect((calls, call, endpoint) => {
        const attempt = calls.joinForReader(endpoint as Parameters<typeof calls.joinForReader>[0], call.args)
        return attempt.answer.promise
      }),
    ),
  )
}
