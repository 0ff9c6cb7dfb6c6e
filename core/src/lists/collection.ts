import { CollectionSchema as ListsWithIdentity } from '../schema/collection.js'
import type { CollectionOptions } from '../schema/collection.js'
import type { Schema } from '../schema/schema.js'
import type { Tables } from '../store/tables.js'
import { Lists } from './lists.js'

/** The type of the Collection class. Its instances, and those of subclasses, have the type `CollectionSchema`. */
interface CollectionClass {
  // The prototype of a generic class has `any` as its type arguments.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly prototype: ListsWithIdentity<any>
  /**
   * @param content - `[Todo]`, `new schema.Array(…)` or `new schema.Values(…)`
   * @throws {SelfsameError} `definition-invalid` for anything else
   */
  new <const Content = readonly [Schema]>(
    content: Content,
    options?: CollectionOptions,
  ): ListsWithIdentity<Content>
}

/** A Collection with the code that keeps its lists in a store. A module that imports it imports both. */
export const Collection = class CollectionSchema extends ListsWithIdentity<unknown> {
  override makeLists(store: Tables): Lists {
    return new Lists(store)
  }
  // The constructor of the base class is protected, so that every Collection has this code.
} as unknown as CollectionClass
