import { Compared, deepestComparison, isPlainObject, setOwn, shareStructure } from '../util/plain.js'
import { RecordNode } from './records.js'

type OnAlike = (stored: readonly unknown[], received: readonly unknown[]) => void

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
  onAlike?: OnAlike,
  depth = 0,
  compared = new Compared(),
): unknown {
  if (Object.is(stored, received)) return stored
  if (depth > deepestComparison) return received
  if (Array.isArray(stored) && Array.isArray(received)) {
    const known = compared.recall(received)
    return known ?? compared.note(received, sameList(stored, received, onAlike, depth, compared))
  }
  if (!isPlainObject(stored) || !isPlainObject(received))
    return shareStructure(stored, received, depth, compared)
  const known = compared.recall(received)
  if (known !== undefined) return known
  const names = Object.keys(received)
  let isSame = names.length === Object.keys(stored).length
  const shared: Record<string, unknown> = {}
  for (const name of names) {
    const before = Object.hasOwn(stored, name) ? stored[name] : undefined
    const part = sameResult(before, received[name], onAlike, depth + 1, compared)
    setOwn(shared, name, part)
    if (part !== before || !Object.hasOwn(stored, name)) isSame = false
  }
  return compared.note(received, isSame ? stored : shared)
}

function sameList(
  stored: readonly unknown[],
  received: readonly unknown[],
  onAlike: OnAlike | undefined,
  depth: number,
  compared: Compared,
): readonly unknown[] {
  if (stored.length !== received.length) {
    if (isWithoutDeleted(stored, received)) onAlike?.(stored, received)
    return received
  }
  let isSame = true
  const shared = received.map((item, index) => {
    const part =
      item instanceof RecordNode ? item : sameResult(stored[index], item, onAlike, depth + 1, compared)
    if (part !== stored[index]) isSame = false
    return part
  })
  return isSame ? stored : shared
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
