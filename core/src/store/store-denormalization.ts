import { Denormalization } from '../denormalize/denormalize.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { EntityPlan } from '../schema/entity-plan.js'
import { ListNode } from './list-node.js'
import { RecordNode } from './records.js'
import { toKeys } from '../normalize/reference.js'
import type { View, ViewGraph } from './view/view.js'

/** The views of a store. */
export interface ViewSource {
  readonly graph: ViewGraph
  /** The view of a record through a class. */
  viewOf(node: RecordNode, plan: EntityPlan): View
  /** The view of all records of a class. */
  allOf(plan: EntityPlan): View
}

/** Denormalizes from views; the value that is computed depends on each view that is read. */
export class StoreDenormalization extends Denormalization {
  declare readonly source: ViewSource

  constructor(source: ViewSource, args: readonly unknown[]) {
    super(args)
    this.source = source
  }

  record(plan: EntityPlan, reference: unknown): unknown {
    // A value that is no node was never normalized and is shown unchanged.
    if (!(reference instanceof RecordNode)) return reference
    const { source } = this
    const { views } = reference
    // Most records are read by one class. Looked at here, because a first screen reads most of its records by this method.
    const isKnown = views !== undefined && 'plan' in views && views.plan === plan
    return source.graph.readSource(isKnown ? views : source.viewOf(reference, plan))
  }

  collection(_collection: CollectionSchema<unknown>, reference: unknown): unknown {
    return reference instanceof ListNode ? this.source.graph.readSource(reference.view) : undefined
  }

  keys(value: unknown): unknown {
    return toKeys(value)
  }

  allOf(plan: EntityPlan): unknown[] | undefined {
    return this.source.graph.readSource(this.source.allOf(plan)) as unknown[] | undefined
  }

  fillAll(): void {
    this.source.graph.finishPending()
  }
}
