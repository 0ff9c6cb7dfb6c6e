import { CollectionSchema as ListsWithIdentity } from '../schema/collection.js'
import type { CollectionOptions } from '../schema/collection.js'
import type { Schema } from '../schema/schema.js'
import type { Tables } from '../store/tables.js'
import { Lists } from './lists.js'

/** The class of Collections. Its instances are `CollectionSchema`s, whatever class an application derives from it. */
interface CollectionClass {
  // As the constructor of any class.
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

/** A Collection, with what keeps its lists in a store: what imports it ships both. */
export const Collection = class CollectionSchema extends ListsWithIdentity<unknown> {
  override makeLists(store: Tables): Lists {
    return new Lists(store)
  }
  // The constructor of what it extends is protected, so that no Collection is made without this.
} as unknown as CollectionClass
