import type { Denormalization } from '../denormalize/denormalize.js'
import { recordOf } from '../schema/members-schema.js'
import type { Schema } from '../schema/schema.js'
import { ValuesSchema } from '../schema/values.js'
import type { ListNode } from '../store/list-node.js'
import { View } from '../store/view/view.js'
import type { Beginning, ViewGraph } from '../store/view/view.js'
import { isPlainObject, isSamePlain, setOwn } from '../util/plain.js'
import { shareData } from '../util/shared-data.js'

/** A map with the code for Collections of maps. It is separate, so that an application without maps does not contain it. */
export const Values = class ValuesWithIdentity extends ValuesSchema {
  override makeView(node: ListNode, delegate: Denormalization): View {
    return new MapView(node, this.member, delegate)
  }

  override changed(
    members: unknown,
    changed: unknown,
    moves: ReadonlyMap<unknown, boolean>,
  ): Readonly<Record<string, unknown>> {
    // The members of a map are an object, made by its own schema.
    const before = members as Readonly<Record<string, unknown>>
    const leaving = new Set<unknown>()
    for (const [member, isJoining] of moves) if (!isJoining) leaving.add(recordOf(member))
    const joining = Object.entries(isPlainObject(changed) ? changed : {}).filter(
      ([key, member]) => moves.get(member) === true && before[key] !== member,
    )
    const staying = Object.entries(before).filter(([, member]) => !leaving.has(recordOf(member)))
    const isSame = joining.length === 0 && staying.length === Object.keys(before).length
    return isSame ? before : Object.fromEntries([...staying, ...joining])
  }
} as typeof ValuesSchema

/** The view of a Collection that is a map. */
export class MapView extends View {
  readonly #node: ListNode
  readonly #member: Schema
  readonly #delegate: Denormalization
  /** The members that the value shows. */
  #shown: unknown = undefined

  constructor(node: ListNode, member: Schema, delegate: Denormalization) {
    super()
    this.#node = node
    this.#member = member
    this.#delegate = delegate
  }

  override showsInput(): boolean {
    const { members } = this.#node
    if (!isPlainObject(members)) return this.value === undefined
    return isSamePlain(this.#shown, members)
  }

  override begin(): Beginning {
    this.#shown = this.#node.members
    this.value = isPlainObject(this.#shown) ? {} : undefined
    return this.value === undefined ? 'complete' : 'to finish'
  }

  override finish(graph: ViewGraph): void {
    const values = this.value as Record<string, unknown>
    const linking = graph.beginLinking()
    for (const [key, member] of Object.entries(this.#node.members as object)) {
      const data = this.#delegate.resolve(this.#member, member)
      if (data !== undefined) setOwn(values, key, data)
    }
    graph.endLinking(this, linking)
    shareData(values)
  }
}
