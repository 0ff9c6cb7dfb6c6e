import { development } from '#development'
import { kindOf } from '../errors.js'

/**
 * Returns the text of a value for an address.
 *
 * @param refuse - called for a value that has no such text; throws
 */
export function addressText(value: unknown, refuse: (why: string) => never): string {
  const isText = !/^(object|function|symbol)$/.test(typeof value)
  const text = isText ? String(value) : ''
  // `encodeURIComponent` throws for a lone surrogate. The first test of both is faster, and most text has no surrogate.
  const isBroken = /[\uD800-\uDFFF]/.test(text) && /\p{Surrogate}/u.test(text)
  if (!isText || isBroken || Number.isNaN(value)) refuse(development ? reasonAgainst(value, isText) : '')
  return text
}

function reasonAgainst(value: unknown, isText: boolean): string {
  if (!isText) return `it is ${kindOf(value)}`
  return Number.isNaN(value) ? 'it is NaN' : 'it contains half of a character (a lone surrogate)'
}
