import * as errors from '../../errors.js'
import type { SelfsameError } from '../../errors.js'
import type { ListNode } from '../list-node.js'
import { holds } from '../members.js'
import type { RecordNode } from '../records.js'

/**
 * Records that were created, as the server said without a body, but not by which primary key. They are shown under their
 * temporary ones until the lists that they joined are answered.
 */
export class UnnamedRecords {
  readonly #listsOf = new Map<RecordNode, readonly ListNode[]>()
  /** No server knows them. */
  readonly #pks = new Set<string>()

  /** @param lists - those that it joined */
  add(node: RecordNode, lists: readonly ListNode[]): void {
    this.#pks.add(node.pk)
    this.#listsOf.set(node, lists)
  }

  clear(): void {
    this.#listsOf.clear()
    this.#pks.clear()
  }

  /** Why a call is not sent: its arguments name a record by a primary key that no server knows. */
  refusal(name: string, [first]: readonly unknown[]): SelfsameError | undefined {
    const values = typeof first === 'object' && first !== null ? Object.values(first) : [first]
    const temporary = values.find((value) => typeof value === 'string' && this.#pks.has(value))
    return temporary === undefined ? undefined : errors.temporaryIdSent(name, temporary as string)
  }

  /** The records that no list holds any more, after one was answered. */
  leftBy(list: ListNode): RecordNode[] {
    const left: RecordNode[] = []
    for (const [node, lists] of this.#listsOf) {
      if (node.fields === undefined) this.#listsOf.delete(node)
      else if (lists.includes(list) && !lists.some(({ members }) => holds(members, node))) left.push(node)
    }
    return left
  }
}
