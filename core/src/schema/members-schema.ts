import { development } from '#development'
import type { DenormalizeDelegate, NormalizeDelegate, PayloadKey, Schema, SchemaContract } from './schema.js'

/**
 * A list or a map of members with one schema. A Collection can have it as its content. It has no code for attributes, so that
 * an application without polymorphic schemas does not contain it.
 */
export abstract class MembersSchema<Data = unknown> implements SchemaContract<Data> {
  /** @internal */
  readonly isReplacing = true
  readonly isRequired = true
  /** The schema of each member. */
  declare member: Schema
  /** `true` for a map, `false` for a list. */
  abstract readonly isMap: boolean

  constructor(member: Schema) {
    this.member = member
  }

  /** @internal */
  get parts(): unknown {
    return this.member
  }

  abstract normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown
  abstract denormalize(input: unknown, delegate: DenormalizeDelegate): Data | undefined
  /** Makes the view of a Collection with this content. @default the view of a list @internal */
  makeView?(list: object, delegate: DenormalizeDelegate): object
  /**
   * Returns the members of a Collection with this content after a mutation.
   *
   * @param changed - the normalized response of the mutation
   * @param moves - by member, `true` if it is added and `false` if it is removed
   * @default the change of a list
   * @internal
   */
  changed?(members: unknown, changed: unknown, moves: ReadonlyMap<unknown, boolean>): unknown
}

/** Returns the record of a member. The member of a polymorphic list is a pair of attribute and record. */
export function recordOf(member: unknown): unknown {
  return isPair(member) ? member[1] : member
}

/** Returns `true` if a normalized value is a pair of attribute and value. A list of two records is not. */
export function isPair(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length === 2 && (value[0] === null || typeof value[0] === 'string')
}

/** A list. `[member]` is its short form. */
export class ListSchema<Member = unknown> extends MembersSchema<Member[]> {
  readonly isMap: boolean = false
  /** A member and its contract. Memoized, because the lookup takes as long as normalizing a short list. */
  #known: Schema | undefined
  #contract: SchemaContract | undefined

  override normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    if (!Array.isArray(input)) throw delegate.unexpected(development ? 'an array' : '', input)
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
