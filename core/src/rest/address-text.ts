import { development } from '#development'
import { kindOf } from '../errors.js'

/**
 * Returns the text of a value for an address.
 *
 * @param refuse - called for a value that has no such text; throws
 */
export function addressText(value: unknown, refuse: (why: string) => never): string {
  if (/^(object|function|symbol)$/.test(typeof value)) refuse(development ? `it is ${kindOf(value)}` : '')
  if (Number.isNaN(value)) refuse(development ? 'it is NaN' : '')
  const text = String(value)
  // `encodeURIComponent` throws for a lone surrogate. The first test is faster, and most text has no surrogate.
  if (/[\uD800-\uDFFF]/.test(text) && /\p{Surrogate}/u.test(text))
    refuse(development ? 'it contains half of a character (a lone surrogate)' : '')
  return text
}
