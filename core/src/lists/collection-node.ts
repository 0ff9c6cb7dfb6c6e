import type { CollectionSchema, ListPart } from '../schema/collection.js'
import type { CollectionArgs, ListIdentity } from '../schema/delegates.js'
import type { Schema } from '../schema/schema.js'
import { ListNode } from '../store/list-node.js'
import { toKeys } from '../normalize/reference.js'
import type { Store } from '../store/store.js'
import { ListView } from '../store/view/list-view.js'
import { valueless, written } from '../store/view/view.js'
import type { View } from '../store/view/view.js'
import type { MapView } from './values-with-identity.js'

/** The lists that one mutation may change, by their `key`. */
export interface ListGroup {
  readonly nodes: Map<string, CollectionNode>
}

/** One list of a Collection. Calls that read the same list share the node. */
export class CollectionNode extends ListNode {
  declare readonly table: ListGroup
  declare readonly key: string
  /** The Collection of the first call that read the list. Others with equal `kind` share the node. */
  declare readonly collection: CollectionSchema<unknown>
  declare readonly name: string
  declare readonly isFilter: boolean
  args: CollectionArgs = {}
  declare call: string | undefined
  /** What its arguments say of it. */
  declare part: ListPart
  /** By member, the start of the mutation that added it, if that was answered before an earlier mutation. */
  joined: Map<unknown, number> | undefined
  declare readonly view: View
  /** While a response of it is stored, the number of records that the server counts and the response lacks. */
  declare received: number | undefined
  readonly #store: Store

  constructor(
    store: Store,
    table: ListGroup,
    key: string,
    collection: CollectionSchema<unknown>,
    list: ListIdentity,
  ) {
    super()
    this.mark = store.epoch
    this.#store = store
    this.table = table
    this.key = key
    this.collection = collection
    this.name = list.name
    this.isFilter = list.isFilter
    this.identify(list)
    const { content } = collection
    const delegate = store.denormalization([list.args])
    this.view =
      (content.makeView?.(this, delegate) as MapView | undefined) ??
      new ListView(content.member, this, delegate)
  }

  /** Sets arguments and call. The response of a call identifies them better than an earlier lookup did. */
  override identify({ args, call }: ListIdentity): void {
    this.args = args
    this.call = call
    this.part = this.collection.partOf(args, call)
  }

  /** The schema of its members. */
  get member(): Schema {
    return this.collection.content.member
  }

  override show(members: unknown): void {
    if (this.members === members) return
    this.members = members
    this.#store.graph.markWritten(this.view)
  }

  /** The number of records that the server counts and that are not loaded; `undefined` if nothing counts them. */
  get others(): number | undefined {
    return this.received ?? this.#store.lists?.unloadedOf(this)
  }

  /** `true` if the server's list may have records that are not loaded. */
  get isOpen(): boolean {
    const { isPaged, front } = this.pages
    return (this.others ?? Number(isPaged || front !== undefined)) > 0
  }

  override saved(): () => void {
    const { members, stamp, pages, joined } = this
    return () => {
      Object.assign(this, { stamp, pages, joined })
      this.show(members)
    }
  }

  /** `true` if the sources of its view are its members. */
  get isRead(): boolean {
    return (this.view.flags & (written | valueless)) === 0
  }

  override toKeys(): unknown {
    return toKeys(this.members)
  }
}
