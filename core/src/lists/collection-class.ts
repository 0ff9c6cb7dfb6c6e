import { numberOf } from '../schema/collection.js'
import type {
  CollectionOptions,
  CollectionSchema as ListsWithIdentity,
  MemberOf,
} from '../schema/collection.js'
import type { ListIdentity } from '../schema/delegates.js'
import type { NormalizeDelegate, PayloadKey, Schema, SchemaContract } from '../schema/schema.js'
import { CallCollection } from './call-collection.js'

/** A member; any where the schema of the members is not known, as in code for all Collections. */
// A condition on members of no known type is written with their own types.
// eslint-disable-next-line typescript/no-explicit-any
type KnownMember<Member> = [Member] extends [never] ? any : Member

/** The type of the Collection class. Its instances, and those of subclasses, have the type `CollectionSchema`. */
interface CollectionConstructor {
  // The prototype of a generic class has `any` as its type arguments.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly prototype: ListsWithIdentity<any>
  /**
   * @param content - `[Todo]`, `new schema.Array(…)` or `new schema.Values(…)`
   * @throws {SelfsameError} `definition-invalid` for anything else
   */
  new <const Content = readonly [Schema]>(
    content: Content,
    options?: CollectionOptions<KnownMember<MemberOf<Content>>>,
  ): ListsWithIdentity<Content>
}

/**
 * A Collection with all options. It is separate, so that an application whose lists are only those of its resources does not
 * contain what identifies lists by their arguments.
 */
export const Collection = class CollectionSchema extends CallCollection {
  /** The list of a resource is a Collection, too. A subclass has only its own instances. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(
      this === CollectionSchema ? CallCollection : this,
      value,
    )
  }

  override listOfCall(call: string | undefined, place: string, args: readonly unknown[]): ListIdentity {
    const { argsKey, nestKey } = this.options
    // With `nestKey`, a list in a record and the list of a call share their name if their arguments are equal.
    const isByArgs = argsKey !== undefined || nestKey !== undefined
    const given = argsKey === undefined ? args : [argsKey(...args)]
    return { ...super.listOfCall(isByArgs ? undefined : call, place, given), call }
  }

  override identityOf(parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): ListIdentity {
    const { nestKey } = this.options
    if (delegate.owner === undefined || nestKey === undefined) return super.identityOf(parent, key, delegate)
    const args = nestKey(parent, String(key))
    return { name: `${this.nameOf(args)} `, args, isFilter: true, call: undefined }
  }

  override kindOf(contract: SchemaContract): string {
    const { argsKey, nestKey, joinsAcrossPaths = false } = this.options
    const kind = super.kindOf(contract)
    // Without these options it shares the lists of a resource.
    return argsKey === undefined && nestKey === undefined && !joinsAcrossPaths
      ? kind
      : `${kind} ${numberOf(argsKey)} ${numberOf(nestKey)} ${joinsAcrossPaths}`
  }

  override isReachedBy(other: ListsWithIdentity<unknown>): boolean {
    const { joinsAcrossPaths, nestKey } = this.options
    return joinsAcrossPaths === true || nestKey !== undefined || super.isReachedBy(other)
  }
} as unknown as CollectionConstructor
