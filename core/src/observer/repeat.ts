import { callsOf } from '../controller/calls.js'
import type { CallsOwner } from '../controller/calls.js'

/**
 * Returns what a reader that does not suspend shows in the first render of a server-rendered page. It shows nothing if
 * it showed nothing on the server, although data that was fetched below it has arrived since.
 *
 * @param place - identifies the reader in the page, and is the same on the server
 * @param shown - the current state
 * @param blank - the state without data
 */
export function repeat<Shown>(controller: CallsOwner, place: string, shown: Shown, blank: Shown): Shown {
  const { blanks, hydratedBlanks } = callsOf(controller)
  if (hydratedBlanks.has(place)) return blank
  if (shown === blank) blanks.add(place)
  else blanks.delete(place)
  return shown
}

/** Ends the first render. A server never calls it. The note is removed, so that it is not saved for the next visit. */
export function endRepeat(controller: CallsOwner, place: string): void {
  callsOf(controller).blanks.delete(place)
}
