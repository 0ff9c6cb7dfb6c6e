import { View } from '../store/view/view.js'
import type { Beginning, ViewGraph } from '../store/view/view.js'
import { Pending } from './flow.js'
import type { Consumer, Flow, MemberChange } from './flow.js'

/** What is computed from one flow: told which members changed, it looks at these once somebody reads it. */
export abstract class FlowReader extends View implements Consumer {
  protected readonly flow: Flow
  protected readonly pending = new Pending()
  /** The error of a function of the application; `undefined` if none threw. */
  error: unknown = undefined
  #isDue = true

  constructor(flow: Flow) {
    super()
    this.flow = flow
  }

  get isKnown(): boolean {
    return this.flow.isKnown
  }

  noteChanged(change?: MemberChange): void {
    this.pending.add(change)
  }

  override begin(): Beginning {
    this.#isDue = true
    return 'to finish last'
  }

  override finish(graph: ViewGraph): void {
    this.update(graph)
  }

  update(graph: ViewGraph): void {
    if (!this.#isDue) return
    // After it was unlinked it was not told what changed.
    if (this.sources.length === 0) this.pending.add(undefined)
    const linking = graph.beginLinking()
    graph.readSource(this.flow)
    graph.endLinking(this, linking)
    this.flow.update(graph)
    if (!this.#isDue) return
    this.#isDue = false
    this.error = this.flow.error
    if (this.error !== undefined) return
    try {
      this.take()
    } catch (error) {
      this.error = error
      return
    }
    this.renew()
  }

  /** Looks at the members that may have changed. @throws the error of a function of the application */
  protected abstract take(): void

  /** Renews the value. */
  protected abstract renew(): void
}
