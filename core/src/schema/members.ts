import type { DenormalizeDelegate, NormalizeDelegate, PayloadKey, Schema, SchemaContract } from './schema.js'

/**
 * A list or a map of members that have one schema, which a Collection can be made of. Knows nothing of attributes:
 * what chooses between schemas is only in an application that names a schema which does.
 */
export abstract class MembersSchema<Data = unknown> implements SchemaContract<Data> {
  /** @internal */
  readonly isReplacing = true
  /** What each member looks like. */
  member: Schema
  /** Whether the members stand under keys instead of in an order. */
  abstract readonly isMap: boolean

  constructor(member: Schema) {
    this.member = member
  }

  abstract normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown
  abstract denormalize(input: unknown, delegate: DenormalizeDelegate): Data | undefined
}

/** A list: what `[member]` is the short form of. */
export class ListSchema<Member = unknown> extends MembersSchema<Member[]> {
  readonly isMap: boolean = false
  /** A member and what it stands for. Found once: to find it takes as long as to go through a short list. */
  #known: Schema | undefined = undefined
  #contract: SchemaContract | undefined = undefined

  override normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    if (!Array.isArray(input)) throw delegate.unexpected('an array', input)
    if (this.#contract === undefined || this.#known !== this.member) {
      this.#contract = delegate.contractOf(this.member)
      this.#known = this.member
    }
    return delegate.members(this.#contract, input, parent, key)
  }

  override denormalize(input: unknown, delegate: DenormalizeDelegate): Member[] | undefined {
    if (!Array.isArray(input)) return input as undefined
    const { member } = this
    const schema = this.#known === member && this.#contract !== undefined ? this.#contract : member
    // The member's own schema built them.
    return delegate.members(schema, input) as Member[]
  }
}
