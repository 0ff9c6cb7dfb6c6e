import type { TaggedPromise } from '../util/settleable.js'
import type { Asking } from './asked.js'

/**
 * Fetches what a reader that does not suspend has the option `ssr` for, while a server renders.
 *
 * @returns the promise after which the reader must be rendered again; `undefined` if there is data or an error
 */
export function awaitedOnServer({ members }: Asking): TaggedPromise<undefined> | undefined {
  const readings = members.map((member) => (member.options?.ssr === true ? member.readOrFetch() : undefined))
  for (const reading of readings) if (reading?.state === 'pending') return reading.promise
  return undefined
}
