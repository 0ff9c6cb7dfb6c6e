import { isPlainObject } from './plain.js'
import { markAlone } from './shared-data.js'

/** What is frozen with all its parts, so that each object is looked at once. */
const done = /* @__PURE__ */ new WeakSet<object>()

/** Freezes plain objects and lists of any depth, also those in records, which are frozen themselves. Development only. */
export function freezeDeep(value: unknown): void {
  const waiting = [value]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (typeof part !== 'object' || part === null || done.has(part)) continue
    const isPlain = Array.isArray(part) || isPlainObject(part)
    if (!isPlain && !Object.isFrozen(part)) continue
    if (isPlain) markAlone(part)
    done.add(Object.freeze(part))
    for (const each of Object.values(part)) if (typeof each === 'object' && each !== null) waiting.push(each)
  }
}
