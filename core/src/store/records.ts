import { development } from '#development'
import { fillInstance } from '../denormalize/denormalize.js'
import type { Denormalization } from '../denormalize/denormalize.js'
import type { EntityPlan, FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { isSamePlain, setOwn } from '../util/plain.js'
import type { RecordIndex } from './indexes.js'
import { Reference, toKeys } from './reference.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import { View } from './view/view.js'
import type { Beginning, ViewGraph } from './view/view.js'
import type { TemporaryKeys } from './optimistic/temporary-keys.js'

/**
 * One stored record. In results and in the fields of other records it stands for itself.
 *
 * A record that was only referred to has no fields and was never written; one that was deleted has no fields and
 * was written.
 */
export class RecordNode extends Reference {
  readonly table: RecordTable
  readonly pk: string
  /** What was received, merged; nested records are nodes. `undefined` when absent or deleted. */
  fields: Fields | undefined = undefined
  stamp: Stamp = neverWritten
  /** Whether the table lists the record among those that arrived: never of a node that it does not hold any more. */
  hasArrived = false
  /** One view for each class that read the record. */
  views: RecordView | RecordView[] | undefined = undefined

  constructor(table: RecordTable, pk: string, mark: number) {
    super(mark)
    this.table = table
    this.pk = pk
  }

  override toKeys(): string {
    return this.pk
  }
}

/** The records of one entity key. */
export class RecordTable {
  readonly key: string
  readonly delegate: Denormalization
  readonly nodes = new Map<string, RecordNode>()
  readonly plans: EntityPlan[] = []
  /** The records in the order in which they first arrived. */
  arrived: RecordNode[] = []
  /** Whether something was received of them, also where none is left: a list that an answer held may be empty. */
  isListed = false
  /** The lists of all records, one for each class that reads them. */
  readonly lists = new Map<EntityPlan, View>()
  readonly indexes = new Map<string, RecordIndex>()
  /** Which records stand for temporary ones; `undefined` until one does. */
  temporary: TemporaryKeys | undefined = undefined
  #fields: readonly FieldPlan[] = []
  #fieldsOf: readonly (readonly FieldPlan[])[] = []

  /** @param delegate - resolves what the records nest */
  constructor(key: string, delegate: Denormalization) {
    this.key = key
    this.delegate = delegate
  }

  /** The records that were received; `undefined` while nothing ever was. */
  get received(): readonly RecordNode[] | undefined {
    return this.isListed || this.arrived.length > 0 ? this.arrived : undefined
  }

  /** Whether the field `id` of every record is its primary key. @param plan - of the class that receives it */
  isKeyedById(plan: EntityPlan): boolean {
    return plan.isKeyedById && this.plans.length === 1 && this.plans[0] === plan
  }

  /** Of a temporary primary key that of the record in its place. */
  realPk(pk: string): string {
    return this.temporary?.real(pk) ?? pk
  }

  /** Makes the node of a primary key that has none yet. */
  add(pk: string, mark: number): RecordNode {
    const node = new RecordNode(this, pk, mark)
    this.nodes.set(pk, node)
    return node
  }

  /**
   * The fields with a schema, of all classes of this key: a nested record is stored as a record, also when the
   * class that receives it does not name the field.
   */
  get fields(): readonly FieldPlan[] {
    // Asked for at every record: the common case of one class makes nothing new.
    const only = this.plans[0]
    if (only !== undefined && this.plans.length === 1) return only.fields
    const fieldsOf = this.plans.map((plan) => plan.fields)
    if (fieldsOf.some((fields, index) => fields !== this.#fieldsOf[index])) {
      this.#fieldsOf = fieldsOf
      this.#fields = [...new Map(fieldsOf.flat().map((field) => [field.name, field])).values()]
    }
    return this.#fields
  }
}

/** A record as an instance of one class, its nested records resolved. */
export class RecordView extends View {
  readonly node: RecordNode
  readonly plan: EntityPlan
  /** The fields that the value shows. */
  #shown: Fields | undefined = undefined

  constructor(node: RecordNode, plan: EntityPlan) {
    super()
    this.node = node
    this.plan = plan
  }

  override begin(): Beginning {
    const { fields } = this.node
    const { plan } = this
    if (fields === undefined || (plan.entity.validate !== undefined && !isUsable(plan, fields))) {
      const wasShown = this.value !== undefined
      this.value = undefined
      this.#shown = fields
      return wasShown ? 'complete' : 'unchanged'
    }
    if (this.value !== undefined && this.isWrittenAgain && isSameFields(this.#shown, fields)) {
      this.#shown = fields
      return 'unchanged'
    }
    this.value = plan.create()
    return 'to finish'
  }

  override finish(graph: ViewGraph, previous: unknown): void {
    const { fields } = this.node
    if (fields === undefined) return
    const instance = this.value as Record<string, unknown>
    const known =
      previous === undefined || this.#shown === undefined
        ? undefined
        : { instance: previous as Fields, fields: this.#shown }
    this.#shown = fields
    if (this.plan.fields.length === 0 && this.sources.length === 0) this.plan.assign(instance, fields)
    else {
      const linking = graph.beginLinking()
      fillInstance(this.plan, instance, fields, this.node.table.delegate, known)
      graph.endLinking(this, linking)
    }
    if (this.node.table.plans.length > 1) showKeys(this, instance, fields)
    if (development) Object.freeze(instance)
  }
}

/**
 * What another class of the same key joins is shown by its primary key, where this class names no schema. A function,
 * because a private method takes 8 bytes of each instance.
 */
export function showKeys(
  { node, plan }: Pick<RecordView, 'node' | 'plan'>,
  instance: Record<string, unknown>,
  fields: Fields,
): void {
  for (const { name } of node.table.fields) {
    if (fields[name] === undefined || plan.computes(name)) continue
    if (plan.fields.some((field) => field.name === name)) continue
    setOwn(instance, name, toKeys(fields[name]))
  }
}

/** The views of a record, to loop over. */
export function viewsOf({ views }: RecordNode): readonly RecordView[] {
  if (views === undefined) return []
  return Array.isArray(views) ? views : [views]
}

/**
 * A copy of an instance has its class's defaults as fields of its own, and what layers show: what differs in nothing from
 * what was shown is no news (specification S24).
 *
 * @param stored - what was received of the record
 * @param shown - the instance that showed it
 */
export function withoutDefaults(
  received: Fields,
  stored: Fields | undefined,
  shown: object | undefined,
): Fields {
  if (stored === undefined || shown === undefined) return received
  const given = Object.entries(received).filter(
    ([name, value]) => !isSamePlain(value, (shown as Fields)[name]),
  )
  return Object.fromEntries(given)
}

/** Why a class cannot use a record; `undefined` when it can. Nested records are shown as primary keys to it. */
export function rejection(plan: EntityPlan, fields: Fields): string | undefined {
  return plan.hasValidate ? plan.rejects(toKeys(fields) as Fields) : undefined
}

export function isUsable(plan: EntityPlan, fields: Fields): boolean {
  return !plan.hasValidate || rejection(plan, fields) === undefined
}

/** Whether two records hold the same, one level deep: nested values keep their identity while they are equal. */
function isSameFields(a: Fields | undefined, b: Fields): boolean {
  if (a === b) return true
  if (a === undefined) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every(
    (name) => Object.hasOwn(b, name) && (a[name] === b[name] || isSameLists(a[name], b[name])),
  )
}

function isSameLists(a: unknown, b: unknown): boolean {
  return !(a instanceof RecordNode) && !(b instanceof RecordNode) && isSamePlain(a, b)
}
