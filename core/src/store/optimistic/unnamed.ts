import * as errors from '../../errors.js'
import type { SelfsameError } from '../../errors.js'
import type { ListNode } from '../list-node.js'
import { holds } from '../members.js'
import type { RecordNode } from '../records.js'

/**
 * Created records without a known primary key, because the server responded without a body. They keep their temporary
 * keys until the lists that they joined are loaded again.
 */
export class UnnamedRecords {
  readonly #listsOf = new Map<RecordNode, readonly ListNode[]>()
  /** Temporary primary keys, unknown to the server. */
  readonly #pks = new Set<string>()

  /** @param lists - the lists that the record joined */
  add(node: RecordNode, lists: readonly ListNode[]): void {
    this.#pks.add(node.pk)
    this.#listsOf.set(node, lists)
  }

  clear(): void {
    this.#listsOf.clear()
    this.#pks.clear()
  }

  /** The error of a call that must not be sent, because an argument is a temporary primary key. */
  refusal(name: string, [first]: readonly unknown[]): SelfsameError | undefined {
    const values = typeof first === 'object' && first !== null ? Object.values(first) : [first]
    const temporary = values.find((value) => typeof value === 'string' && this.#pks.has(value))
    return temporary === undefined ? undefined : errors.temporaryIdSent(name, temporary as string)
  }

  /** The records that no list holds any more after this list was loaded. */
  leftBy(list: ListNode): RecordNode[] {
    const left: RecordNode[] = []
    for (const [node, lists] of this.#listsOf) {
      if (node.fields === undefined) this.#listsOf.delete(node)
      else if (lists.includes(list) && !lists.some(({ members }) => holds(members, node))) left.push(node)
    }
    return left
  }
}
