import { CollectionSchema as ListsWithIdentity } from '../schema/collection.js'
import type { Tables } from '../store/tables.js'
import { Lists } from './lists.js'

/** A Collection, with what keeps its lists in a store: whoever imports it ships both. */
export const Collection: typeof ListsWithIdentity = class CollectionSchema<
  const Content,
> extends ListsWithIdentity<Content> {
  override makeLists(store: Tables): Lists {
    return new Lists(store)
  }
}
