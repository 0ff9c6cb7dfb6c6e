import { shareStructure } from '../util/plain.js'
import { RecordNode } from './records.js'

/**
 * The result to keep when a call is answered again: every part of the stored one that shows the same stays
 * itself, so that what readers hold stays itself.
 *
 * @param onAlike - hears of a list in the place of one that shows the same: it only lacks what was deleted
 * @returns `stored` when nothing differs that can be seen
 */
export function sameResult(
  stored: unknown,
  received: unknown,
  onAlike?: (stored: readonly unknown[], received: readonly unknown[]) => void,
): unknown {
  return shareStructure(stored, received, (before, after) => {
    if (isWithoutDeleted(before, after)) onAlike?.(before, after)
    return true
  })
}

/** Whether a list only lacks what was deleted from the stored one: then readers see the list that they saw. */
function isWithoutDeleted(stored: readonly unknown[], received: readonly unknown[]): boolean {
  let shown = 0
  for (const item of stored) {
    if (shown < received.length && item === received[shown]) shown++
    else if (!isDeleted(item)) return false
  }
  return shown === received.length
}

/** Whether two lists differ in nothing but members that are deleted, which are not shown. */
export function isShownAlike(a: readonly unknown[], b: readonly unknown[]): boolean {
  let [at, other] = [0, 0]
  for (;;) {
    while (at < a.length && isDeleted(a[at])) at++
    while (other < b.length && isDeleted(b[other])) other++
    if (at === a.length || other === b.length) return at === a.length && other === b.length
    if (a[at++] !== b[other++]) return false
  }
}

function isDeleted(item: unknown): boolean {
  return item instanceof RecordNode && item.fields === undefined
}
