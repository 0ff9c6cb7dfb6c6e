import type { CollectionNode } from './collections.js'
import { membersOf, recordOf } from './members.js'
import type { RecordNode } from './records.js'

/**
 * Records that were created, as the server said without a body, but not by which primary key. They are shown under their
 * temporary ones until the lists that they joined are answered.
 */
export class UnnamedRecords {
  readonly #listsOf = new Map<RecordNode, readonly CollectionNode[]>()
  /** No server knows them. */
  readonly #pks = new Set<string>()

  /** @param lists - those that it joined */
  add(node: RecordNode, lists: readonly CollectionNode[]): void {
    this.#pks.add(node.pk)
    this.#listsOf.set(node, lists)
  }

  clear(): void {
    this.#listsOf.clear()
    this.#pks.clear()
  }

  /** The temporary primary key that the arguments of a call name; `undefined` where they name none. */
  namedBy([first]: readonly unknown[]): string | undefined {
    if (this.#pks.size === 0) return undefined
    const values = typeof first === 'object' && first !== null ? Object.values(first) : [first]
    return values.find((value): value is string => typeof value === 'string' && this.#pks.has(value))
  }

  /** The records that no list holds any more, after one was answered. */
  leftBy(list: CollectionNode): RecordNode[] {
    const left: RecordNode[] = []
    for (const [node, lists] of this.#listsOf) {
      if (node.fields === undefined) this.#listsOf.delete(node)
      else if (lists.includes(list) && !lists.some(({ members }) => holds(members, node))) left.push(node)
    }
    return left
  }

  get isEmpty(): boolean {
    return this.#listsOf.size === 0
  }
}

/** Whether a list or a map of a Collection holds a record. */
export function holds(members: unknown, record: unknown): boolean {
  return membersOf(members).some((member) => recordOf(member) === record)
}
