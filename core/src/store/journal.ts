import type { Reference } from '../normalize/reference.js'
import type { View } from './view/view.js'

/** Notes what each commit changes, for those who listen to changes. A store without listeners has none. */
export interface Journal {
  /** Called before a record, a list of a Collection or a call changes. Costs nothing if it was noted in this commit. */
  note(target: Reference | View): void
  /** Called when the outermost transaction or batch has ended, before readers are notified. */
  commit(): void
  /** Runs the write of an optimistic layer, which changes what is shown and not what was received. */
  show<Value>(write: () => Value): Value
  /** Called before all layers are dropped with all data. */
  uncover(): void
}
