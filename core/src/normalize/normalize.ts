import * as errors from '../errors.js'
import { SelfsameError, placeOf } from '../errors.js'
import type { CollectionSchema } from '../schema/collection.js'
import type { CollectionChangeKind, ListIdentity, StoreNormalizeDelegate } from '../schema/delegates.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan, toPk } from '../schema/entity-plan.js'
import type { FieldPlan } from '../schema/entity-plan.js'
import type { Normalize } from '../schema/normalized.js'
import type { PageSchema, ReceivedPage } from '../schema/page.js'
import type { PayloadKey, Schema, SchemaContract } from '../schema/schema.js'
import type { EntityTables, Fields } from '../schema/fields.js'
import { mergeFields } from './merge.js'
import type { FieldVisitor } from './merge.js'
import { copyPlain, isSamePlain } from '../util/plain.js'

/** What is stored already, for a payload that meets it: most answers hold what the last one held. */
export interface StoredRecords {
  /** `expected`, where it can be told without the primary key that it is the reference of a record. */
  recognize(plan: EntityPlan, record: object, expected: unknown): unknown
  /** What is stored under a reference, where it may tell which records come next: fields, or the members of a list. */
  storedOf(reference: unknown): unknown
  /** The record that a value of the caller's is already shown by, so that it is not taken apart again. */
  shownBy(plan: EntityPlan, pk: string, input: object): unknown
  /**
   * The stored fields of a record, where all that is to be done is to merge into them what was received: then `update`
   * follows. Otherwise `undefined`, and `write` follows.
   */
  mergedInto(plan: EntityPlan, reference: unknown): Fields | undefined
  /** Takes what `mergedInto` gave and what came of it: the same when nothing differs. */
  update(plan: EntityPlan, reference: unknown, stored: Fields, merged: Fields): void
}

/** Where the records of a payload go. */
export interface RecordSink {
  /** `undefined` where nothing is stored. */
  readonly known?: StoredRecords
  /** Names a record, known or not. @param expected - what may be its reference: then it need not be looked up */
  reference(plan: EntityPlan, pk: string, expected?: unknown): unknown
  /** Whether a value is what `reference` returns, so that it is not taken apart again. */
  isReference(value: unknown): boolean
  /** The fields with a schema, of all classes that share the plan's key. */
  fieldsOf(plan: EntityPlan): readonly FieldPlan[]
  /** Takes a record that belongs to the sink from now on; its nested records are references. */
  write(plan: EntityPlan, reference: unknown, fields: Fields): void
  /** Takes the news that an answer holds a list of records of a class. */
  listed?(plan: EntityPlan): void
  /** Takes the news that a record was deleted. */
  remove(plan: EntityPlan, reference: unknown): void
  /** Names a record that is stored; `undefined` where none is. */
  stored?(plan: EntityPlan, pk: string): unknown
  /** Takes the news that one of several records was deleted. */
  removeOneOf?(references: readonly unknown[]): void
  /** Takes a list of a Collection. @returns its reference */
  collection(collection: CollectionSchema<unknown>, list: ListIdentity, members: unknown): unknown
  /** Takes the news that records joined, left or moved. `params` are those of the call. */
  changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
    params: unknown,
  ): void
  /** Takes a page that belongs to the list of another call. */
  page(received: ReceivedPage): void
}

/** A stored record, and the name of a field of it. */
interface FieldOwner {
  readonly key: string
  readonly pk: string
  readonly fields: Fields
  readonly field: string
}

/** Where a payload comes from, for schemas and for messages. */
export interface PayloadOrigin {
  /** The arguments of the call. */
  readonly args: readonly unknown[]
  /** The key of the call; `undefined` for what no call is answered with. */
  readonly call?: string | undefined
  /** The call, as messages name it: `Article.getList (GET /article)`. */
  readonly name: string
  /** Whether nobody else holds the payload, so that it may become what is stored. */
  readonly isOwned: boolean
  /** The record that it is a field of; `undefined` for the answer to a call. */
  readonly owner?: FieldOwner | undefined
  /** Whether it holds all pages of the list of the call. */
  readonly isWhole?: boolean
  /** What the call was answered with before, normalized. */
  readonly expected?: unknown
}

/**
 * Takes a payload apart: hands its records to the sink and returns what is left, with references in their place.
 * Records may nest without a limit. When one record stands several times in a payload, nested ones are handed
 * over before those that contain them, and otherwise in order.
 *
 * @throws {SelfsameError} naming the place, when the payload does not have the form of its schema. The sink has
 *   received some records by then, and must forget them.
 */
export function normalizeInto(
  sink: RecordSink,
  schema: SchemaContract,
  payload: unknown,
  origin: PayloadOrigin,
): unknown {
  return new Normalization(sink, origin).run(schema, payload)
}

/** Records nested deeper than this wait on a list, so that no payload exhausts the stack. */
const deepestRecursion = 150
/** Half of what the stack holds before anything is compiled: measured with Node 20. */
const deepestNesting = 1000

interface Waiting {
  readonly plan: EntityPlan
  readonly reference: unknown
  readonly input: object
  readonly pk: string | undefined
  readonly keys: readonly (string | number)[]
}

/** What is visited: a record, or the payload around all records. */
interface Frame {
  /** How many records are around what is visited. */
  readonly depth: number
  readonly plan: EntityPlan | undefined
  readonly record: object | undefined
  /** Its primary key, where that had to be computed. */
  readonly pk: string | undefined
  /** Its fields with a schema. */
  readonly nested: readonly FieldPlan[]
  /** How many containers stand between what is visited and the record. */
  nesting: number
  /**
   * What is stored in the place that is visited: most answers refer to what the last one referred to. A hint: on an
   * unchanged answer it saves a tenth of the time.
   */
  expected: unknown
}

class Normalization implements StoreNormalizeDelegate, FieldVisitor {
  readonly args: readonly unknown[]
  readonly call: string | undefined
  readonly isOwned: boolean
  readonly #sink: RecordSink
  readonly #known: StoredRecords | undefined
  /** The record around the whole payload. */
  readonly #within: FieldOwner | undefined
  readonly #name: string
  /** The way to what is visited. */
  #keys: (string | number)[] = []
  #frame: Frame
  readonly #waiting: Waiting[] = []
  /** What was visited already. Only an object that was not parsed from text can contain itself. */
  readonly #visited: Map<object, unknown> | undefined

  constructor(sink: RecordSink, { args, call, name, isOwned, expected, owner }: PayloadOrigin) {
    this.#sink = sink
    this.#known = sink.known
    this.#within = owner
    this.#frame = {
      depth: 0,
      plan: undefined,
      record: undefined,
      pk: undefined,
      nested: [],
      nesting: 0,
      expected,
    }
    this.args = args
    this.call = call
    this.#name = name
    this.isOwned = isOwned
    this.#visited = isOwned ? undefined : new Map()
  }

  run(schema: SchemaContract, payload: unknown): unknown {
    try {
      const result = schema.normalize(payload, this.#within?.fields, this.#within?.field, this)
      const stack = this.#takeWaiting([])
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        this.#keys = [...next.keys]
        this.#frame.expected = undefined
        this.#write(next.plan, next.reference, next.input, next.pk)
        this.#takeWaiting(stack)
      }
      return result
    } catch (error) {
      if (error instanceof SelfsameError) throw error
      throw errors.payloadFailed(this.#name, placeOf(this.#keys), error)
    }
  }

  visit(schema: Schema, value: unknown, parent: unknown, key: PayloadKey, place: PayloadKey = key): unknown {
    return this.#visit(contractOf(schema), value, parent, key, place)
  }

  /** Of the fields that have a schema only those are handed over whose value is not what it was. */
  visitField(name: string, value: unknown, before: unknown): unknown {
    if (value === null) return value
    const { nested, record } = this.#frame
    const contract = contractOfField(nested, name)
    if (contract === undefined) return this.isOwned ? value : copyChanged(value, before)
    // All others were visited before the merge.
    return contract.isReplacing === true ? this.#visit(contract, value, record, name, name) : value
  }

  members(schema: Schema, values: unknown[], parent: unknown, key: PayloadKey): unknown[] {
    const contract = contractOf(schema)
    this.#noteListed(contract)
    const keys = this.#keys
    const place = keys.length
    const frame = this.#frame
    const { expected } = frame
    const stored = Array.isArray(expected) ? (expected as unknown[]) : this.#known?.storedOf(expected)
    const before = Array.isArray(stored) ? (stored as unknown[]) : noMembers
    // What is stored is kept until a member differs.
    let members = before === stored && before.length === values.length ? undefined : this.#toMembers(values)
    this.#deepen()
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
    frame.nesting--
    if (values.length > 0) keys.pop()
    return members ?? before
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

  collection(collection: CollectionSchema<unknown>, list: ListIdentity, members: unknown): unknown {
    return this.#sink.collection(collection, list, members)
  }

  changeCollections(
    collection: CollectionSchema<unknown>,
    kind: CollectionChangeKind,
    members: unknown,
  ): void {
    this.#sink.changeCollections(collection, kind, members, this.args[0])
  }

  page(page: PageSchema, result: unknown): void {
    this.#sink.page({ page, args: this.args, list: page.callOf(this.args), result })
  }

  record(plan: EntityPlan, input: unknown, parent: unknown, key: PayloadKey): unknown {
    if (input === null || input === undefined) return input
    if (typeof input !== 'object') return this.#referenceById(plan, input)
    if (this.#sink.isReference(input)) return input
    const known = this.#visited?.get(input)
    if (known !== undefined) return known
    if (Array.isArray(input)) throw this.unexpected(`a record of "${plan.key}"`, input)
    const record = plan.process(input, parent, key, this.args)
    const { expected } = this.#frame
    const recognized = this.#known?.recognize(plan, record, expected)
    if (recognized !== undefined) return this.#take(plan, recognized, input, record, undefined)
    const pk = plan.pkOf(record, parent, key, this.args)
    if (pk === undefined) throw this.#withoutPk(plan, record, plan.pkFound(record, parent, key, this.args))
    const shown = this.isOwned ? undefined : this.#known?.shownBy(plan, pk, input)
    if (shown !== undefined) return shown
    return this.#take(plan, this.#sink.reference(plan, pk, expected), input, record, pk)
  }

  remove(plans: readonly EntityPlan[], input: unknown): unknown {
    const isNamed = typeof input === 'object' && input !== null && !Array.isArray(input)
    const named = plans.flatMap((plan) => {
      const own = isNamed ? plan.pkOf(input, undefined, undefined, this.args) : toPk(input)
      const pk = own ?? plan.pkOfArgs(this.args)
      return pk === undefined ? [] : [{ plan, pk }]
    })
    const [plan] = plans
    if (named.length === 0 && plan !== undefined) throw this.#withoutPk(plan, isNamed ? input : {}, undefined)
    const found = named.flatMap(({ plan: of, pk }) => {
      // Of one class it is removed also where it is not known: an answer under way may bring it.
      const reference = plans.length === 1 ? this.#sink.reference(of, pk) : this.#sink.stored?.(of, pk)
      return reference === undefined ? [] : [{ of, reference }]
    })
    const [only] = found
    if (only === undefined) return undefined
    if (found.length > 1) {
      this.#sink.removeOneOf?.(found.map(({ reference }) => reference))
      return undefined
    }
    this.#sink.remove(only.of, only.reference)
    return only.reference
  }

  unexpected(expected: string, found: unknown): SelfsameError {
    return errors.unexpectedKind(expected, this.#name, placeOf(this.#keys), found)
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

  /** An answer holds a list of these records: from now on what is stored of them is all that is known. */
  #noteListed(member: SchemaContract): void {
    if (member instanceof EntityPlan) this.#sink.listed?.(member)
    else if (member.schemas !== undefined)
      for (const each of member.schemas) this.#noteListed(contractOf(each))
  }

  /** Instead of the record itself its primary key may be sent: it is joined as soon as the record is known. */
  #referenceById(plan: EntityPlan, input: unknown): unknown {
    const pk = toPk(input)
    if (pk === undefined || typeof input === 'boolean') {
      throw this.unexpected(`a record of "${plan.key}" or its primary key`, input)
    }
    return this.#sink.reference(plan, pk, this.#frame.expected)
  }

  #take(
    plan: EntityPlan,
    reference: unknown,
    input: object,
    record: object,
    pk: string | undefined,
  ): unknown {
    this.#visited?.set(input, reference)
    // While one waits, those after it wait too: records are handed over in the order of the payload.
    if (this.#frame.depth < deepestRecursion && this.#waiting.length === 0)
      this.#write(plan, reference, record, pk)
    else this.#waiting.push({ plan, reference, input: record, pk, keys: [...this.#keys] })
    return reference
  }

  #write(plan: EntityPlan, reference: unknown, record: object, pk: string | undefined): void {
    const stored = this.#known?.mergedInto(plan, reference)
    if (stored === undefined) this.#add(plan, reference, record, pk)
    else this.#merge(plan, reference, record, pk, stored)
  }

  #add(plan: EntityPlan, reference: unknown, record: object, pk: string | undefined): void {
    const sink = this.#sink
    const nested = sink.fieldsOf(plan)
    const fields = this.isOwned ? (record as Record<string, unknown>) : plan.copyFields(record)
    // An own `__proto__`, as JSON.parse makes it, would change the prototype of whatever is assigned from it.
    if (Object.hasOwn(fields, '__proto__')) delete fields['__proto__']
    if (nested.length > 0) {
      const outer = this.#frame
      const expected = this.#known?.storedOf(reference)
      this.#frame = { depth: outer.depth + 1, plan, record, pk, nested, nesting: 0, expected }
      // In the order of the payload, as the merge goes: the last of several states of one record counts.
      for (const name in fields) {
        const contract = contractOfField(nested, name)
        if (contract !== undefined) this.#visitOwn(contract, fields, name)
      }
      this.#frame = outer
    }
    sink.write(plan, reference, fields)
  }

  #merge(plan: EntityPlan, reference: unknown, record: object, pk: string | undefined, stored: Fields): void {
    const nested = this.#sink.fieldsOf(plan)
    // What is stored already needs no copy.
    const fields = this.isOwned ? (record as Record<string, unknown>) : plan.comparable(record)
    if (nested.length === 0) {
      const merged = mergeFields(stored, fields, this.isOwned ? undefined : copyingVisitor)
      this.#known?.update(plan, reference, stored, merged)
      return
    }
    const outer = this.#frame
    this.#frame = { depth: outer.depth + 1, plan, record, pk, nested, nesting: 0, expected: stored }
    let received = fields
    for (let index = 0; index < nested.length; index++) {
      const field = nested[index] as FieldPlan
      const contract = contractIn(field)
      if (contract.isReplacing !== true) received = this.#visitOwn(contract, received, field.name)
    }
    const merged = mergeFields(stored, received, this)
    this.#frame = outer
    if (this.#known?.storedOf(reference) === stored) this.#known.update(plan, reference, stored, merged)
    // The record stands in itself, and was written meanwhile.
    else this.#sink.write(plan, reference, fieldsIn(merged, fields))
  }

  /** Takes a field apart, if it was sent. @returns the fields; a copy where those that were given are the caller's */
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
    this.#deepen()
    frame.expected = partOf(expected, place)
    const normalized = contract.normalize(value, parent, key, this)
    // Not in a `finally`: what throws leaves the way to where it happened, for the message.
    frame.expected = expected
    frame.nesting--
    keys.pop()
    return normalized
  }

  /** The array in which the members of a list are put. */
  #toMembers(values: unknown[]): unknown[] {
    return this.isOwned ? values : values.slice()
  }

  #deepen(): void {
    if (++this.#frame.nesting <= deepestNesting) return
    throw errors.nestingTooDeep(this.#name, placeOf(this.#keys.slice(0, 20)), deepestNesting)
  }

  /** Moves what waits onto a stack, the first on top. */
  #takeWaiting(stack: Waiting[]): Waiting[] {
    for (let last = this.#waiting.pop(); last !== undefined; last = this.#waiting.pop()) stack.push(last)
    return stack
  }

  #withoutPk(plan: EntityPlan, input: object, found: unknown): SelfsameError {
    return errors.pkMissing(plan.key, this.#name, placeOf(this.#keys), found, input)
  }
}

function contractIn(field: FieldPlan): SchemaContract {
  return (field.contract ??= contractOf(field.schema))
}

function contractOfField(nested: readonly FieldPlan[], name: string): SchemaContract | undefined {
  for (const field of nested) if (field.name === name) return contractIn(field)
  return undefined
}

/** A value that the caller keeps holding, as it is stored: what is there already, or a copy. */
function copyChanged(value: unknown, stored: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return isSamePlain(stored, value) ? stored : copyPlain(value)
}

const copyingVisitor: FieldVisitor = { visitField: (_name, value, stored) => copyChanged(value, stored) }

const noMembers: unknown[] = []

/** The fields that were received, with the values that they have after the merge. */
function fieldsIn(merged: Fields, received: Fields): Fields {
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(received)) {
    if (received[name] !== undefined && Object.hasOwn(merged, name)) fields[name] = merged[name]
  }
  return fields
}

/** What is stored at a place of what is stored. A hint, so that it may be anything. */
function partOf(stored: unknown, key: PayloadKey): unknown {
  if (typeof stored !== 'object' || stored === null || key === undefined) return undefined
  return (stored as Readonly<Record<string | number, unknown>>)[key]
}

/** A payload taken apart. */
export interface Normalized<Result = unknown> {
  /** The payload, with primary keys in place of its records. */
  readonly result: Result
  readonly entities: EntityTables
}

/**
 * Takes a response apart into plain tables, without a Controller. The response is not changed.
 *
 * @param schema - what the response looks like
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

  isReference(): boolean {
    return false
  }

  fieldsOf(plan: EntityPlan): readonly FieldPlan[] {
    return plan.fields
  }

  write(plan: EntityPlan, reference: unknown, fields: Fields): void {
    const table = (this.tables[plan.key] ??= Object.create(null) as Record<string, Fields>)
    const pk = reference as string
    const stored = table[pk]
    table[pk] = stored === undefined ? fields : mergeFields(stored, fields)
  }

  remove(plan: EntityPlan, reference: unknown): void {
    const table = this.tables[plan.key]
    if (table !== undefined) delete table[reference as string]
  }

  stored({ key }: EntityPlan, pk: string): unknown {
    return Object.hasOwn(this.tables[key] ?? {}, pk) ? pk : undefined
  }

  /** Without a store a list is no more than its members. */
  collection(_collection: unknown, _list: ListIdentity, members: unknown): unknown {
    return members
  }

  changeCollections(): void {}

  page(): void {}
}
