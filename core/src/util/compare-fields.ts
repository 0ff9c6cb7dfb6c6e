/**
 * Compares two values of a field: numbers, texts, dates and the like. It is a total order: values of one kind stand together.
 *
 * @param sign - 1 for upward, -1 for downward. Missing values, `NaN` and invalid dates are last in both
 */
export function compareValues(first: unknown, second: unknown, sign: 1 | -1): number {
  const a = comparable(first)
  const b = comparable(second)
  if (a === b) return 0
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1
  // A temporary id is a text among numbers: that of the newest record.
  if (typeof a !== typeof b) return sign * (typeof a > typeof b ? 1 : -1)
  return (a as never) < (b as never) ? -sign : (a as never) > (b as never) ? sign : 0
}

function comparable(value: unknown): unknown {
  const plain = value instanceof Date ? value.getTime() : value
  return plain === null || Number.isNaN(plain) ? undefined : plain
}
