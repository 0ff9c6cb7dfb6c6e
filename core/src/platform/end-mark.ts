import { development } from '#development'
import { warn } from '../errors.js'
import { ifGiven, isPage } from './platform.js'

/** `true` while the reset of another tab runs here: that tab has ended the epoch. */
let isFollowing = false

/**
 * The epoch in which the rows of an owner are written, which is in their keys. What was written in an earlier one is never shown or sent,
 * and is deleted. Read before each use, because any tab may end it.
 *
 * @param owner - the beginning of the keys: the kind of the rows, and the application
 * @returns an empty text until the first end, and where there is no `localStorage`. Texts of later epochs are greater, and all begin with a
 *   space, which sorts before all that encoded text has
 */
export function epochOf(owner: string): string {
  return ifGiven(() => localStorage.getItem(markOf(owner))) ?? ''
}

/** Ends the epoch at once: a page that is left has no time to delete rows. @param remedy - what to await where that cannot be noted */
export function endEpoch(owner: string, remedy: string): void {
  // It would end what that tab has written since.
  if (isFollowing) return
  const isNoted = noteEnd(owner, ` ${Date.now().toString(36)}`)
  if (development && isPage() && !isNoted)
    warn(
      `resetAll() could not write to localStorage, so stored rows are there until they are deleted. Await ${remedy} after resetAll(), before you leave the page.`,
    )
}

/** Writes a mark that all tabs see, in the order in which this tab writes to `localStorage`. @returns `false` if it cannot be written */
export function noteEnd(owner: string, mark: string): boolean {
  ifGiven(() => localStorage.setItem(markOf(owner), mark))
  return epochOf(owner) === mark
}

/** Runs the reset of another tab. */
export function followReset(run: () => void): void {
  isFollowing = true
  try {
    run()
  } finally {
    isFollowing = false
  }
}

const markOf = (owner: string) => `selfsame.end/${owner}`
