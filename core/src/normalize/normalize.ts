import { development } from '#development'
import * as errors from '../errors.js'
import { SelfsameError, placeOf } from '../errors.js'
import type { ListSink, RemovalSink, StoreNormalizeDelegate } from '../schema/delegates.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan, toPk } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Normalize } from '../schema/normalized.js'
import type { PayloadKey, Schema, SchemaContract } from '../schema/schema.js'
import type { EntityTables, Fields } from '../schema/fields.js'
import { Reference } from './reference.js'
import { copyPlain, isPlainObject, isSamePlain, shareStructure } from '../util/plain.js'

/** Receives the records of a payload. Only a store has all members, because it merges a payload with stored records. */
export interface RecordSink extends RemovalSink {
  /** Receives lists; `undefined` if a list is only its members. */
  readonly lists?: ListSink
  /** Returns the reference of a record, known or not. @param expected - may be its reference, which saves the look-up */
  reference(plan: EntityPlan, pk: string, expected?: unknown): unknown
  /** The fields with a schema of all classes that share the plan's key. */
  fieldsOf(plan: EntityPlan): readonly FieldPlan[]
  /**
   * Stores a record; the sink owns `fields` from now on. Its nested records are references.
   *
   * @param isNested - `true` for a record in a field of another one
   */
  write(plan: EntityPlan, reference: unknown, fields: Fields, isNested: boolean): void
  /** Fast path: returns `expected` if it is known to be the reference of this record, so that `pk()` need not run. */
  recognize?(plan: EntityPlan, record: object, expected: unknown): unknown
  /** The stored fields of a record or members of a list; they predict the references that come next in the payload. */
  storedOf?(reference: unknown): unknown
  /** Returns the record if `input` is the instance that shows it, so that it is not normalized again. */
  shownBy?(plan: EntityPlan, pk: string, input: object): unknown
  /**
   * Returns the stored fields of a record if the received fields only have to be merged into them: then `update`
   * follows. Otherwise returns `undefined`, and `write` follows.
   */
  mergedInto?(plan: EntityPlan, reference: unknown): Fields | undefined
  /** Stores the merged fields. @param stored - from `mergedInto` @param merged - `stored` itself if nothing differs */
  update?(plan: EntityPlan, reference: unknown, stored: Fields, merged: Fields, isNested: boolean): void
  /** Called if a payload holds a list of records of a class. */
  listed?(plan: EntityPlan): void
}

/** A stored record and the name of one of its fields. */
interface FieldOwner {
  readonly key: string
  readonly pk: string
  readonly fields: Fields
  readonly field: string
}

/** The origin of a payload, for schemas and for error messages. */
export interface PayloadOrigin {
  /** The arguments of the call. */
  readonly args: readonly unknown[]
  /** The key of the call; `undefined` for a payload that is no response to a call. */
  readonly call?: string | undefined
  /** The name of the call in error messages: `Article.getList (GET /article)`. */
  readonly name: string
  /** True if no other code holds the payload, so that the store may keep and change its objects. */
  readonly isOwned: boolean
  /** The record whose field it is; `undefined` for the response to a call. */
  readonly owner?: FieldOwner | undefined
  /** The arguments of the further pages of the call's list, if it holds them too. */
  readonly loaded?: readonly (readonly unknown[])[] | undefined
  /** True if what its schema names may be missing: an expected response, stored data, a shape of generation 4.5. */
  readonly isPartial?: boolean | undefined
  /** The primary key of the root record, if the payload lacks it: the arguments of a mutation name the record. */
  readonly pk?: string | undefined
  /** The previous result of the call, normalized. */
  readonly expected?: unknown
}

/**
 * Normalizes a payload: writes its records to the sink and returns the payload with references in their place.
 * Records may nest without limit. If a payload holds a record several times, nested ones are written before those that
 * contain them, and otherwise in order.
 *
 * @throws {SelfsameError} naming the place, if the payload does not match its schema. The sink has received some
 *   records by then and must roll them back.
 */
export function normalizeInto(
  sink: RecordSink,
  schema: SchemaContract,
  payload: unknown,
  origin: PayloadOrigin,
): unknown {
  const normalization = new Normalization(sink, origin)
  try {
    const { owner } = origin
    const result = schema.normalize(payload, owner?.fields, owner?.field, normalization)
    normalization.writeWaiting()
    return result
  } catch (error) {
    throw normalization.failure(error)
  }
}

/** Records nested deeper than this are queued, so that no payload overflows the stack. */
const deepestRecursion = 150
/** Half of the depth that the stack holds before code is compiled: measured with Node 20. */
const deepestPayload = 1000

interface WaitingPart {
  readonly plan: EntityPlan
  readonly reference: unknown
  readonly input: object
  readonly pk: string | undefined
  readonly keys: readonly (string | number)[]
}

/** The visited value: a record, or the payload around all records. The records of one depth share a frame. */
class Frame {
  /** The number of records that enclose it. */
  declare readonly depth: number
  plan: EntityPlan | undefined
  record: object | undefined
  /** Its primary key, if that had to be computed. */
  pk: string | undefined
  /** The length of the path to it. */
  start = 0
  /**
   * The stored value at the visited position: most responses refer to the same records as the last one. A hint: it
   * saves a tenth of the time of an unchanged response.
   */
  expected: unknown
  /** The frame of the records in it. */
  inner: Frame | undefined

  constructor(depth: number) {
    this.depth = depth
  }
}

class Normalization implements StoreNormalizeDelegate {
  declare readonly args: readonly unknown[]
  declare readonly call: string | undefined
  declare readonly isOwned: boolean
  declare readonly lists: ListSink | undefined
  declare readonly sink: RecordSink
  /** The record that encloses the whole payload. */
  readonly #within: FieldOwner | undefined
  readonly #name: string
  readonly #isPartial: boolean
  readonly #pk: string | undefined
  /** The path to the visited value. */
  #keys: (string | number)[] = []
  #frame = new Frame(0)
  readonly #waiting: WaitingPart[] = []
  /**
   * References of visited records that are nested and may contain others, for objects that contain themselves or each
   * other. `undefined` until there is one: a payload parsed from text has none.
   */
  #visited: Map<object, unknown> | undefined

  constructor(
    sink: RecordSink,
    { args, call, name, isOwned, expected, owner, isPartial = owner !== undefined, pk }: PayloadOrigin,
  ) {
    this.sink = sink
    this.lists = sink.lists
    this.#within = owner
    this.#frame.expected = expected
    this.args = args
    this.call = call
    this.#name = name
    this.#isPartial = isPartial
    this.#pk = pk
    this.isOwned = isOwned
  }

  /** Writes the queued records. */
  writeWaiting(): void {
    const stack = this.#takeWaiting([])
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      this.#keys = [...next.keys]
      this.#frame.expected = undefined
      this.#write(next.plan, next.reference, next.input, next.pk, true)
      this.#takeWaiting(stack)
    }
  }

  /** The error to throw for one that was thrown at the visited place. */
  failure(error: unknown): SelfsameError {
    return error instanceof SelfsameError
      ? error
      : errors.payloadFailed(this.#name, placeOf(this.#keys), error)
  }

  visit(schema: Schema, value: unknown, parent: unknown, key: PayloadKey, place: PayloadKey = key): unknown {
    return this.#visit(contractOf(schema), value, parent, key, place)
  }

  /** Takes the contract if the caller has it: to find it takes as long as to normalize a small value. */
  #visit(
    contract: SchemaContract,
    value: unknown,
    parent: unknown,
    key: PayloadKey,
    place: PayloadKey,
  ): unknown {
    const keys = this.#keys
    const frame = this.#frame
    const { expected } = frame
    keys.push(place ?? '')
    this.#checkNesting()
    frame.expected = partOf(expected, place)
    // Not in a `finally`: after an error `#keys` stays at the place of the error, for the message.
    const normalized =
      contract instanceof EntityPlan
        ? this.record(contract, value, parent, key)
        : contract.normalize(value, parent, key, this)
    frame.expected = expected
    keys.pop()
    return normalized
  }

  /**
   * Normalizes a value that differs from the stored one.
   *
   * @param nested - the fields of the record that have a schema
   * @param before - the stored value
   */
  visitField(nested: readonly FieldPlan[], name: string, value: unknown, before: unknown): unknown {
    if (value === null) return value
    const contract = contractOfField(nested, name)
    if (contract === undefined) return this.isOwned ? value : copyChanged(value, before)
    // Fields with other schemas were visited before.
    return contract.isReplacing === true
      ? this.#visit(contract, value, this.#frame.record, name, name)
      : value
  }

  members(schema: Schema, values: unknown[], parent: unknown, key: PayloadKey): unknown[] {
    const contract = contractOf(schema)
    this.#noteListed(contract)
    const keys = this.#keys
    const place = keys.length
    const frame = this.#frame
    const { expected } = frame
    const stored = Array.isArray(expected) ? expected : this.sink.storedOf?.(expected)
    const before: readonly unknown[] = Array.isArray(stored) ? stored : noMembers
    // The stored array is kept until a member differs.
    let members = before === stored && before.length === values.length ? undefined : this.#toMembers(values)
    keys.push('')
    this.#checkNesting()
    for (let index = 0; index < values.length; index++) {
      keys[place] = index
      const known = index < before.length ? before[index] : undefined
      frame.expected = known
      const member = contract.normalize(values[index], parent, key, this)
      if (members === undefined) {
        if (member === known) continue
        members = this.#toMembers(values)
        for (let same = 0; same < index; same++) members[same] = before[same]
      }
      members[index] = member
    }
    frame.expected = expected
    keys.pop()
    return members ?? (before as unknown[])
  }

  /** The array that receives the members of a list. */
  #toMembers(values: unknown[]): unknown[] {
    return this.isOwned ? values : values.slice()
  }

  visitAs(schema: Schema, value: unknown, parent: unknown, key: PayloadKey, place?: PayloadKey): unknown {
    const frame = this.#frame
    const { expected } = frame
    if (place !== undefined) frame.expected = partOf(expected, place)
    const normalized = contractOf(schema).normalize(value, parent, key, this)
    frame.expected = expected
    return normalized
  }

  contractOf(schema: Schema): SchemaContract {
    return contractOf(schema)
  }

  get owner(): { readonly key: string; readonly pk: string } | undefined {
    const { plan, record, pk: known } = this.#frame
    if (plan === undefined || record === undefined) return this.#within
    const pk = known ?? plan.pkOf(record, undefined, undefined, this.args)
    return pk === undefined ? undefined : { key: plan.key, pk }
  }

  get place(): string {
    return this.#keys.join('.')
  }

  record(plan: EntityPlan, input: unknown, parent: unknown, key: PayloadKey): unknown {
    if (input === null || input === undefined) return input
    if (typeof input !== 'object') return this.#referenceById(plan, input)
    if (input instanceof Reference) return input
    const known = this.#visited?.get(input)
    if (known !== undefined) return known
    if (Array.isArray(input)) throw this.unexpected(development ? `a record of "${plan.key}"` : '', input)
    const record = plan.process(input, parent, key, this.args)
    const { expected, depth } = this.#frame
    let reference = this.sink.recognize?.(plan, record, expected)
    let pk: string | undefined
    if (reference === undefined) {
      const named = this.#keys.length === 0 ? this.#pk : undefined
      pk = named ?? plan.pkOf(record, parent, key, this.args)
      if (pk === undefined) throw this.#withoutPk(plan, record, plan.callPk(record, parent, key, this.args))
      const shown = this.isOwned ? undefined : this.sink.shownBy?.(plan, pk, input)
      if (shown !== undefined) return shown
      reference = this.sink.reference(plan, pk, expected)
    }
    // A record outside others, or without others, is visited once more at most.
    if (!this.isOwned && depth > 0 && this.sink.fieldsOf(plan).length > 0)
      (this.#visited ??= new Map<object, unknown>()).set(input, reference)
    // While one is queued, those after it are queued too, so that records are written in the order of the payload.
    if (depth < deepestRecursion && this.#waiting.length === 0)
      this.#write(plan, reference, record, pk, depth > 0)
    else this.#waiting.push({ plan, reference, input: record, pk, keys: [...this.#keys] })
    return reference
  }

  remove(plan: EntityPlan, input: unknown): unknown {
    const pk = this.pkToRemove(plan, input)
    if (pk === undefined) throw this.#withoutPk(plan, isRecord(input) ? input : {}, undefined)
    // An unknown record is removed too: a response still in flight may contain it.
    const reference = this.sink.reference(plan, pk)
    this.sink.remove?.(plan, reference)
    return reference
  }

  pkToRemove(plan: EntityPlan, input: unknown): string | undefined {
    const pk = isRecord(input) ? plan.pkOf(input, undefined, undefined, this.args) : toPk(input)
    return pk ?? plan.pkOfArgs(this.args)
  }

  get isStrict(): boolean {
    return !this.#isPartial && this.#frame.depth === 0
  }

  unexpected(expected: string, found: unknown, field?: string): SelfsameError {
    const keys = field === undefined ? this.#keys : [...this.#keys, field]
    return errors.unexpectedKind(this.#name, placeOf(keys), expected, found)
  }

  unusable(field: PayloadKey, why: string, cause?: unknown): SelfsameError {
    return errors.fieldUnusable(
      String(field ?? this.#keys.at(-1)),
      this.#name,
      placeOf(this.#keys),
      why,
      cause,
    )
  }

  /** The payload holds a list of these records: from now on the stored ones count as all of them. */
  #noteListed(member: SchemaContract): void {
    if (member instanceof EntityPlan) this.sink.listed?.(member)
    else if (member.schemas !== undefined)
      for (const each of member.schemas) this.#noteListed(contractOf(each))
  }

  /** The server may send a primary key in place of the record: the record is joined as soon as it is known. */
  #referenceById(plan: EntityPlan, input: unknown): unknown {
    const pk = toPk(input)
    if (pk === undefined || typeof input === 'boolean') {
      throw this.unexpected(development ? `a record of "${plan.key}" or its primary key` : '', input)
    }
    return this.sink.reference(plan, pk, this.#frame.expected)
  }

  #write(
    plan: EntityPlan,
    reference: unknown,
    record: object,
    pk: string | undefined,
    isNested: boolean,
  ): void {
    const sink = this.sink
    const { isOwned } = this
    const outer = this.#frame
    const nested = sink.fieldsOf(plan)
    const stored = sink.mergedInto?.(plan, reference)
    if (nested.length > 0) {
      const inner = (outer.inner ??= new Frame(outer.depth + 1))
      inner.plan = plan
      inner.record = record
      inner.pk = pk
      inner.start = this.#keys.length
      inner.expected = stored ?? sink.storedOf?.(reference)
      this.#frame = inner
    }
    // An instance of a class is copied: only its own fields count.
    let received = isOwned || isPlainObject(record) ? (record as Fields) : { ...record }
    for (let index = 0; index < nested.length; index++) {
      const field = nested[index] as FieldPlan
      const contract = contractIn(field)
      if (contract.isReplacing !== true) received = this.#visitOwn(contract, received, field.name)
    }
    if (stored === undefined) {
      const fields = this.#newFields(isOwned || received !== record ? received : { ...received }, nested)
      this.#frame = outer
      sink.write(plan, reference, fields, isNested)
      return
    }
    const merged = mergeFields(stored, received, this, nested)
    this.#frame = outer
    if (sink.storedOf?.(reference) === stored) sink.update?.(plan, reference, stored, merged, isNested)
    // The record contains itself and was written meanwhile.
    else sink.write(plan, reference, fieldsIn(merged, received), isNested)
  }

  /**
   * Normalizes the fields of a record that is not stored, in place and in the order of the payload, like the merge: the
   * last of several states of one record wins.
   */
  #newFields(fields: Record<string, unknown>, nested: readonly FieldPlan[]): Fields {
    let isWhole = true
    for (const name in fields) {
      const value = fields[name]
      // An own `__proto__`, as JSON.parse creates it, would change the prototype of any object that is assigned from it.
      if (value === undefined || name === '__proto__') isWhole = false
      else if (value !== null) {
        const contract = contractOfField(nested, name)
        if (contract?.isReplacing === true)
          fields[name] = this.#visit(contract, value, this.#frame.record, name, name)
        else if (contract === undefined && !this.isOwned && typeof value === 'object')
          fields[name] = copyPlain(value)
      }
    }
    return isWhole
      ? fields
      : Object.fromEntries(
          Object.entries(fields).filter(([name, value]) => value !== undefined && name !== '__proto__'),
        )
  }

  /** Normalizes a field if it was sent. @returns the fields; a copy if the caller owns the given ones */
  #visitOwn(
    contract: SchemaContract,
    fields: Record<string, unknown>,
    name: string,
  ): Record<string, unknown> {
    const value = fields[name]
    if (value === undefined || value === null || !Object.hasOwn(fields, name)) return fields
    const { record } = this.#frame
    const visited = this.#visit(contract, value, record, name, name)
    if (visited === value) return fields
    const own = this.isOwned || fields !== record ? fields : { ...fields }
    own[name] = visited
    return own
  }

  #checkNesting(): void {
    if (this.#keys.length - this.#frame.start <= deepestPayload) return
    throw errors.nestingTooDeep(this.#name, placeOf(this.#keys.slice(0, 20)), deepestPayload)
  }

  /** Moves the queued records onto a stack, the first on top. */
  #takeWaiting(stack: WaitingPart[]): WaitingPart[] {
    for (let last = this.#waiting.pop(); last !== undefined; last = this.#waiting.pop()) stack.push(last)
    return stack
  }

  #withoutPk(plan: EntityPlan, input: object, found: unknown): SelfsameError {
    return errors.pkMissing(plan.key, this.#name, placeOf(this.#keys), found, input)
  }
}

/**
 * Merges a received record into the stored one: sent fields replace, other fields stay, and a value that is equal to
 * the stored value keeps the identity of the stored value.
 *
 * @param normalization - normalizes the values that differ, if `received` is not normalized yet
 * @returns `stored` itself if nothing differs
 */
export function mergeFields(
  stored: Fields,
  received: Fields,
  normalization?: Normalization,
  nested: readonly FieldPlan[] = [],
): Fields {
  let merged: Record<string, unknown> | undefined
  // The only comparison of each field of a record that is received again: in this order an equal field costs least.
  for (const name in received) {
    const before = stored[name]
    const sent = received[name]
    if (before === sent || sent === undefined) continue
    const value = normalization === undefined ? sent : normalization.visitField(nested, name, sent, before)
    if (before === value || name === '__proto__') continue
    const shared = typeof value === 'object' ? shareStructure(before, value) : value
    if (Object.is(shared, before) && before !== undefined) continue
    merged ??= { ...stored }
    merged[name] = shared
  }
  return merged ?? stored
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function contractIn(field: FieldPlan): SchemaContract {
  return (field.contract ??= contractOf(field.schema))
}

function contractOfField(nested: readonly FieldPlan[], name: string): SchemaContract | undefined {
  // By index: before it is compiled, `for...of` creates an object for each item.
  for (let index = 0; index < nested.length; index++) {
    const field = nested[index] as FieldPlan
    if (field.name === name) return contractIn(field)
  }
  return undefined
}

/** Returns the value to store for one that the caller keeps: the stored value if it is equal, otherwise a copy. */
function copyChanged(value: unknown, stored: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return isSamePlain(stored, value) ? stored : copyPlain(value)
}

const noMembers: readonly unknown[] = []

/** The received fields, with their values after the merge. */
function fieldsIn(merged: Fields, received: Fields): Fields {
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(received)) {
    if (received[name] !== undefined && Object.hasOwn(merged, name)) fields[name] = merged[name]
  }
  return fields
}

/** The part of a stored value at a key. Only a hint, so any value is accepted. */
function partOf(stored: unknown, key: PayloadKey): unknown {
  if (typeof stored !== 'object' || stored === null || key === undefined) return undefined
  return (stored as Readonly<Record<string | number, unknown>>)[key]
}

/** A normalized payload. */
export interface Normalized<Result = unknown> {
  /** The payload, with primary keys in place of its records. */
  readonly result: Result
  readonly entities: EntityTables
}

/**
 * Normalizes a response into plain tables, without a Controller. Does not change the response.
 *
 * @param schema - the schema of the response
 * @param response - the parsed response
 * @param args - the arguments of the call, for schemas that use them
 * @throws {SelfsameError} `pk-missing`, `payload-unusable` or `nesting-too-deep`, naming the place
 * @see specification 2.1
 * @example
 * normalize([Article], [{ id: 5, title: 'Hi' }])
 * // { result: ['5'], entities: { Article: { '5': { id: 5, title: 'Hi' } } } }
 */
export function normalize<const S extends Schema>(
  schema: S,
  response: unknown,
  args: readonly unknown[] = [],
): Normalized<Normalize<S>> {
  const sink = new TableSink()
  const result = normalizeInto(sink, contractOf(schema), response, {
    args,
    name: 'normalize()',
    isOwned: false,
  })
  // The schema's own `normalize` built it.
  return { result: result as Normalize<S>, entities: sink.tables }
}

class TableSink implements RecordSink {
  readonly tables = Object.create(null) as Record<string, Record<string, Fields>>

  reference(_plan: EntityPlan, pk: string): unknown {
    return pk
  }

  fieldsOf(plan: EntityPlan): readonly FieldPlan[] {
    return plan.fields
  }

  write(plan: EntityPlan, reference: unknown, fields: Fields): void {
    const table = (this.tables[plan.key] ??= Object.create(null) as Record<string, Fields>)
    const pk = reference as string
    const stored = table[pk]
    const merge = (known: Fields) =>
      plan.mergesItself ? plan.merge(known, fields) : mergeFields(known, fields)
    table[pk] = stored === undefined ? fields : merge(stored)
  }

  remove(plan: EntityPlan, reference: unknown): void {
    const table = this.tables[plan.key]
    if (table !== undefined) delete table[reference as string]
  }

  stored({ key }: EntityPlan, pk: string): unknown {
    return Object.hasOwn(this.tables[key] ?? {}, pk) ? pk : undefined
  }
}
