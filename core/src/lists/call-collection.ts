import { CollectionSchema } from '../schema/collection.js'
import type { Store } from '../store/store.js'
import { Lists } from './lists.js'

/** A Collection whose lists are those of calls and records, with the code that keeps them in a store. */
export class CallCollection extends CollectionSchema<unknown> {
  // The constructor of the base class is protected, so that every Collection has this code.
  override makeLists(store: Store): Lists {
    return new Lists(store)
  }
}
