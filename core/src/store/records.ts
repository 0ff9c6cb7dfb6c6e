import { development } from '#development'
import { fillInstance } from '../denormalize/denormalize.js'
import type { Denormalization } from '../denormalize/denormalize.js'
import { elementsOf } from '../schema/contract-of.js'
import { Entity } from '../schema/entity.js'
import type { EntityPlan, FieldPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { isPlainObject, isSamePlain, setOwn, shareStructure } from '../util/plain.js'
import { shareParts } from '../util/shared-data.js'
import type { TableIndex } from './indexes.js'
import { Reference, toKeys } from '../normalize/reference.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import { View } from './view/view.js'
import type { Beginning, ViewGraph } from './view/view.js'
import type { TemporaryKeys } from './optimistic/temporary-keys.js'

/**
 * One stored record, and the reference to it in results and in the fields of other records.
 *
 * A record that was only referred to has no fields and was never written; a deleted record has no fields but was
 * written.
 */
export class RecordNode extends Reference {
  declare readonly table: RecordTable
  declare readonly pk: string
  /** The merged received fields, with nodes in place of nested records; `undefined` if absent or deleted. */
  fields: Fields | undefined
  stamp: Stamp = neverWritten
  /** The position in the order of first arrivals; 0 if the record has not arrived, or its arrival was undone. */
  arrival = 0
  /** A view per class that read the record. */
  views: RecordView | RecordView[] | undefined

  constructor(table: RecordTable, pk: string, mark: number) {
    super()
    this.mark = mark
    this.table = table
    this.pk = pk
  }

  override toKeys(): string {
    return this.pk
  }
}

/** The records of one entity key. */
export class RecordTable {
  declare readonly key: string
  declare readonly delegate: Denormalization
  readonly nodes = new Map<string, RecordNode>()
  readonly plans: EntityPlan[] = []
  /** The records in the order of their first arrival; `undefined` until a reader asks for them. It only grows. */
  arrived: RecordNode[] | undefined
  /** `true` if a class may read records with nested records in fields that it does not declare: of other classes, or hydrated. */
  declare isShared?: boolean
  /** True once a list of these records was received, which may be empty, or the garbage collector saw some. */
  isListed = false
  /** The garbage run during or after which a list of all records was last looked up or found to be shown. */
  mark = 0
  /** The lists of all records, one per class that reads them, and those of maintained queries. */
  readonly lists = new Map<object, View>()
  readonly indexes = new Map<string, TableIndex>()
  /** The primary keys that replaced temporary ones; `undefined` until one did. */
  temporary: TemporaryKeys | undefined
  readonly #isLost: (node: RecordNode) => boolean
  #fields: readonly FieldPlan[] = []
  #fieldsOf: readonly (readonly FieldPlan[])[] = []

  /**
   * @param delegate - resolves nested records
   * @param isLost - true for a record that the garbage collector is about to remove
   */
  constructor(key: string, delegate: Denormalization, isLost: (node: RecordNode) => boolean) {
    this.key = key
    this.delegate = delegate
    this.#isLost = isLost
  }

  /** The received records; `undefined` until something was received. */
  get members(): readonly RecordNode[] | undefined {
    this.arrived ??= [...this.nodes.values()]
      .filter((node) => node.arrival > 0 && !this.#isLost(node))
      .sort((a, b) => a.arrival - b.arrival)
    return this.isListed || this.arrived.length > 0 ? this.arrived : undefined
  }

  /** True if `id` is the primary key of every record. @param plan - of the class that receives the record */
  isKeyedById(plan: EntityPlan): boolean {
    return plan.isKeyedById && this.plans.length === 1 && this.plans[0] === plan
  }

  /** Returns the primary key that replaced a temporary one; otherwise `pk` itself. */
  realPk(pk: string): string {
    return this.temporary?.real(pk) ?? pk
  }

  /**
   * The fields with a schema of all classes of this key: a nested record is stored as a record even if the receiving
   * class does not declare the field.
   */
  get fields(): readonly FieldPlan[] {
    // Hot path, runs for every record: the common case of one class allocates nothing, not even a closure's context.
    const only = this.plans[0]
    return only !== undefined && this.plans.length === 1 ? only.fields : this.#fieldsOfAll()
  }

  #fieldsOfAll(): readonly FieldPlan[] {
    const fieldsOf = this.plans.map((plan) => plan.fields)
    if (fieldsOf.some((fields, index) => fields !== this.#fieldsOf[index])) {
      this.#fieldsOf = fieldsOf
      this.#fields = [...new Map(fieldsOf.flat().map((field) => [field.name, field])).values()]
    }
    return this.#fields
  }
}

/** Returns what the arguments of a mutation have of a record that its response holds: its body, or of an array the element that names it. */
export function sentOf(args: readonly unknown[], { table, pk }: RecordNode): Fields | undefined {
  const body = args.at(-1)
  const all = Array.isArray(body) ? table.plans.map((plan) => elementsOf(args, plan).get(pk)) : [body]
  return all.find(isPlainObject)
}

/** A record as an instance of one class, with its nested records resolved. */
export class RecordView extends View {
  declare readonly node: RecordNode
  declare readonly plan: EntityPlan
  /** The fields that the value shows. */
  #shown: Fields | undefined

  constructor(node: RecordNode, plan: EntityPlan) {
    super()
    this.node = node
    this.plan = plan
  }

  override showsInput(): boolean {
    if (this.value !== undefined && !this.isWrittenAgain) return false
    const { fields } = this.node
    if (fields === undefined || rejection(this.plan, fields) !== undefined) return this.value === undefined
    return this.value !== undefined && this.#shows(fields)
  }

  /** True if the value was computed from equal fields. Equal parts of them keep their identity. */
  #shows(fields: Fields): boolean {
    return (this.node.fields = shareStructure(this.#shown, fields) as Fields) === this.#shown
  }

  override begin(): Beginning {
    const { plan } = this
    const { fields } = this.node
    if (fields === undefined || rejection(plan, fields) !== undefined) {
      this.value = undefined
      this.#shown = fields
      return 'complete'
    }
    if (this.value !== undefined && this.isWrittenAgain) this.#shows(fields)
    const instance = (this.value = plan.create())
    if (!plan.hasQuery) return 'to finish'
    // The Query may read all records of the class before they are finished.
    plan.assign(instance, this.node.fields ?? fields)
    return 'to finish late'
  }

  override finish(graph: ViewGraph, previous: unknown): void {
    const { fields } = this.node
    if (fields === undefined) return
    const instance = this.value as Record<string, unknown>
    const known =
      previous === undefined || this.#shown === undefined
        ? undefined
        : { instance: previous as Fields, fields: this.#shown }
    const isSame = this.#shown === fields
    this.#shown = fields
    const nested = this.plan.fields
    if (nested.length === 0 && this.sources.length === 0) this.plan.assign(instance, fields)
    else {
      const linking = graph.beginLinking()
      fillInstance(this.plan, instance, fields, this.node.table.delegate, nested, known)
      graph.endLinking(this, linking)
    }
    if (this.node.table.isShared) showKeys(this.plan, instance, fields)
    // Dropped by what it shows of others, which shows the same again.
    if (
      isSame &&
      this.isReplaceable &&
      known !== undefined &&
      hasSame(nested, fields, known.instance, instance)
    )
      this.value = previous
    else if (development) Object.freeze(instance)
    else shareParts(instance)
  }
}

/** True if two instances show the same of others. Defaults are made for each. */
function hasSame(nested: readonly FieldPlan[], fields: Fields, a: Fields, b: Fields): boolean {
  return nested.every(({ name }) => (fields[name] ?? undefined) === undefined || a[name] === b[name])
}

/**
 * Replaces nested records by primary keys in fields that the class does not declare a schema for. A function, because a
 * private method takes 8 bytes of each instance.
 */
export function showKeys(plan: EntityPlan, instance: Record<string, unknown>, fields: Fields): void {
  for (const name of Object.keys(fields)) {
    const keys = toKeys(fields[name])
    if (keys === fields[name] || plan.computes(name)) continue
    if (!plan.fields.some((field) => field.name === name)) setOwn(instance, name, keys)
  }
}

/** The state of records before a transaction, restored on failure. */
export class UndoLog {
  /** Records that the transaction created. */
  readonly made: RecordNode[] = []
  // Parallel arrays avoid one object per record, because even an unchanged response touches every record in it.
  readonly #nodes: RecordNode[] = []
  readonly #fields: (Fields | undefined)[] = []
  /** The earlier stamps, each with the index of the first record that had it: most records share one. */
  readonly #stamps: { readonly stamp: Stamp; readonly from: number }[] = []
  #lastStamp: Stamp | undefined

  /** Saves a record whose fields or stamp are about to change. */
  note(node: RecordNode): void {
    const { stamp } = node
    if (stamp !== this.#lastStamp) this.#stamps.push({ stamp, from: this.#nodes.length })
    this.#lastStamp = stamp
    this.#nodes.push(node)
    this.#fields.push(node.fields)
  }

  /** Visits the saved states, latest first: if a record was saved several times, its last visit has the original state. */
  each(use: (node: RecordNode, stamp: Stamp, fields: Fields | undefined) => void): void {
    let index = this.#nodes.length
    for (const { stamp, from } of [...this.#stamps].reverse())
      while (index > from) {
        index--
        use(this.#nodes[index] as RecordNode, stamp, this.#fields[index])
      }
    for (const node of this.made) use(node, neverWritten, undefined)
  }
}

/** The views of a record as a list. */
export function viewsOf({ views }: RecordNode): readonly RecordView[] {
  if (views === undefined) return []
  return Array.isArray(views) ? views : [views]
}

/**
 * Removes the fields that are equal to those of the shown instance: a copy of an instance also has the defaults of its
 * class and optimistic values as own fields, which are no update (specification S24).
 *
 * @param stored - the stored fields of the record
 * @param shown - the instance that readers saw
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

/** The reason why `validate`, which receives primary keys for nested records, rejects a record; `undefined` if it does not. */
export function rejection(plan: EntityPlan, fields: Fields): string | undefined {
  return plan.entity.validate !== Entity.validate ? plan.rejects(toKeys(fields) as Fields) : undefined
}
