/** A record of a list that was added, changed or removed. */
export interface Change<Record> {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly article: Record
}

/**
 * Compares two states of a list. A record is the same object until it changes, so `===` suffices.
 *
 * @returns removed records first, then added and changed ones in the order of the list
 */
export function changesBetween<Record extends { readonly id: number }>(
  before: readonly Record[],
  after: readonly Record[],
): Change<Record>[] {
  const byId = new Map(before.map((article) => [article.id, article]))
  const changes: Change<Record>[] = []
  for (const article of after) {
    const known = byId.get(article.id)
    byId.delete(article.id)
    if (known !== article) changes.push({ kind: known === undefined ? 'added' : 'changed', article })
  }
  const removed = [...byId.values()].map((article) => ({ kind: 'removed', article }) as const)
  return [...removed, ...changes]
}
