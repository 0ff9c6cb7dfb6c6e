import { PageSchema } from '../schema/page-schema.js'
import type { Schema } from '../schema/schema.js'
import type { Store } from '../store/store.js'
import { Lists } from './lists.js'

/** A page with the code that appends it to its list in a store. */
export class Page<S extends Schema = Schema> extends PageSchema<S> {
  /** @internal */
  override makeLists(store: Store): Lists {
    return new Lists(store)
  }
}
