/** Whether text has no half of a surrogate pair alone, which cannot be put into an address. */
export function isWellFormed(text: string): boolean {
  // Nearly all text has none at all.
  return !/[\uD800-\uDFFF]/.test(text) || !/\p{Surrogate}/u.test(text)
}
