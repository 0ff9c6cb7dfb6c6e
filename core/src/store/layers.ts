import { normalizeInto } from '../normalize/normalize.js'
import type { PayloadOrigin } from '../normalize/normalize.js'
import { mergeFields } from '../normalize/merge.js'
import { DeleteSchema } from '../schema/delete.js'
import type { Fields } from '../schema/fields.js'
import type { SchemaContract } from '../schema/schema.js'
import { isPlainObject, shareStructure } from '../util/plain.js'
import type { CollectionNode, CollectionTable, MutationChange, RequestedChange } from './collections.js'
import { LayerSink } from './layer-sink.js'
import { LayeredUpdates } from './layered-updates.js'
import type { RowUpdate } from './layered-updates.js'
import { recordOf, toRecords } from './members.js'
import { RecordNode, isSameFields, withRealKey } from './records.js'
import { Reference, replaceReferences } from './reference.js'
import type { ResultNode } from './results.js'
import { neverWritten } from './stamp.js'
import type { Store } from './store.js'

/** What a mutation is expected to do, until it is answered. */
export interface Layer {
  /** Where the mutation started: layers lie on each other in this order. */
  readonly start: number
  /** The expected answer, its records replaced by their nodes. */
  readonly expected: unknown
  /** Fields that it writes; `undefined` for a record that it removes. */
  readonly patches: Map<RecordNode, Fields | undefined>
  /** Those of them that the expected answer writes. Updates may write more, as long as what is below them is the same. */
  readonly expectedPatches: ReadonlyMap<RecordNode, Fields | undefined>
  readonly changes: readonly { readonly table: CollectionTable; readonly change: RequestedChange }[]
  /** What it does to what other calls show; `undefined` for nothing. */
  readonly updates: ((layer: Layer) => readonly RowUpdate[]) | undefined
}

/** An expected answer, in the words of the store. */
export interface Expectation {
  readonly start: number
  readonly schema: SchemaContract | undefined
  readonly response: unknown
  readonly origin: PayloadOrigin
  /** Tells what it does to what other calls show. Asked again whenever what is below changes. */
  readonly updates?: ((expected: unknown) => readonly RowUpdate[]) | undefined
}

/**
 * Optimistic writes, on top of what was received. Nodes hold what is shown; of the few that a layer touches the
 * received state is kept here. Each layer is taken away alone, in whatever order mutations are answered, and what
 * was received meanwhile is then seen (specification G4, F6, F8).
 */
export class Layers {
  readonly #store: Store
  #layers: readonly Layer[] = []
  /** What was received of records that a layer touches. */
  readonly #records = new Map<RecordNode, Fields | undefined>()
  /** What was received of lists that a layer touches. */
  readonly #lists = new Map<CollectionNode, unknown>()
  readonly #updates: LayeredUpdates
  /** Whether a record was received, since lists were folded, that a layer touches. */
  #hasFolded = false
  /** Where the mutations started that added a member, of those that were answered before an earlier one. */
  readonly #joined = new WeakMap<CollectionNode, WeakMap<object, number>>()

  constructor(store: Store) {
    this.#store = store
    this.#updates = new LayeredUpdates(store)
  }

  /** What was received of a record. */
  fieldsOf(node: RecordNode): Fields | undefined {
    if (this.#records.size === 0) return node.fields
    return this.#records.has(node) ? this.#records.get(node) : node.fields
  }

  /** What was received of a list. */
  membersOf(node: CollectionNode): unknown {
    return this.#lists.has(node) ? this.#lists.get(node) : node.members
  }

  /** Whether what was received of a list is kept apart from what is shown. */
  hasList(node: CollectionNode): boolean {
    return this.#lists.has(node)
  }

  /** What is shown of a record, of which `received` is what was received last. */
  foldRecord(node: RecordNode, received: Fields | undefined): Fields | undefined {
    // Asked for at every write: the common case of no layer makes nothing new.
    if (this.#layers.length === 0 && this.#records.size === 0) return received
    const patching = this.#layers.filter(({ patches }) => patches.has(node))
    const isReceived = this.#records.has(node) && this.#records.get(node) !== received
    // What an update wrote may hide that it was written below.
    if (isReceived && patching.some(({ updates }) => updates !== undefined)) this.#updates.isOutdated = true
    if (patching.length > 0) this.#records.set(node, received)
    else if (!this.#records.delete(node)) return received
    this.#hasFolded = true
    const shown = foldPatches(node, received, patching)
    // What is received below a layer that covers it, or comes out from below one, may change nothing (G2).
    return shown !== undefined && isSameFields(node.fields, shown) ? node.fields : shown
  }

  /** What is shown of a list, of which `received` is what was received last. */
  foldList(table: CollectionTable, node: CollectionNode, received: unknown): unknown {
    if (this.#layers.length === 0 && this.#lists.size === 0) return received
    const changing = this.#layers.flatMap(({ start, changes }) =>
      changes.flatMap((each) => (each.table === table ? [{ start, change: each.change }] : [])),
    )
    if (this.#updates.hasList(node) && this.#lists.get(node) !== received) this.#updates.isOutdated = true
    if (changing.length === 0 && !this.#updates.hasList(node)) {
      return this.#lists.delete(node) ? shareStructure(node.members, received) : received
    }
    this.#lists.set(node, received)
    const shown = changing.reduce<unknown>(
      (members, { start, change }) => this.changedList(node, members, this.#withFields(change, start), start),
      received,
    )
    return shareStructure(node.members, shown)
  }

  /**
   * The members of a list after a mutation. What is added stands before what mutations added that started later, though
   * they were answered earlier: so a temporary record is replaced where it stands (specification F7).
   *
   * @param start - where the mutation started
   */
  changedList(node: CollectionNode, members: unknown, change: MutationChange, start: number): unknown {
    const { table } = node
    const joined = this.#joined.get(node)
    const isJoining = change.kind === 'push' || change.kind === 'unshift'
    if (joined === undefined || !isJoining || !Array.isArray(members))
      return table.changed(node, members, change)
    const isLater = (member: unknown) => (joined.get(recordOf(member) as object) ?? 0) > start
    const later = members.filter(isLater)
    if (later.length === 0) return table.changed(node, members, change)
    const rest = members.filter((member) => !isLater(member))
    const laterRecords = new Set(later.map(recordOf))
    // A push message may have brought the record before the mutation that made it was answered.
    const changed = (table.changed(node, rest, change) as readonly unknown[]).filter(
      (member) => !laterRecords.has(recordOf(member)),
    )
    if (changed.length === rest.length) return members
    return change.kind === 'unshift' ? [...later, ...changed] : [...changed, ...later]
  }

  /** A server's answer says where members stand, in whatever order mutations added them. */
  forgetJoined(node: CollectionNode): void {
    this.#joined.delete(node)
  }

  /** Remembers what a mutation added to a list, where one that started earlier may add something still. */
  noteJoined(node: CollectionNode, before: unknown, after: unknown, start: number): void {
    if (!Array.isArray(before) || !Array.isArray(after)) return
    let joined = this.#joined.get(node)
    if (joined === undefined) this.#joined.set(node, (joined = new WeakMap()))
    for (const member of after) {
      const record = recordOf(member)
      if (record instanceof Reference && !before.includes(member)) joined.set(record, start)
    }
  }

  /** An expected change, with the records as they are below the layer, and with it. */
  #withFields(change: RequestedChange, start: number): MutationChange {
    const records = toRecords(change.members)
      .map(recordOf)
      .filter((record) => record instanceof RecordNode)
    const fieldsBelow = (end: number) => {
      const layers = this.#layers.filter((layer) => layer.start < end)
      return new Map(records.map((node) => [node, foldPatches(node, this.fieldsOf(node), layers)]))
    }
    return { ...change, before: fieldsBelow(start), after: fieldsBelow(start + 1) }
  }

  /** What was received for a call. */
  resultOf(row: ResultNode): unknown {
    return this.#updates.resultOf(row)
  }

  /** Takes what was received for a call. What it shows follows at the end of the transaction. */
  receive(row: ResultNode, result: unknown): void {
    this.#updates.receive(row, result)
  }

  /** What a call would show without layers; `undefined` when nothing. */
  receivedData(row: ResultNode): unknown {
    const { data, isReadable } = row.snapshot(this.#store.graph)
    if (!isReadable || (this.#lists.size === 0 && this.#updates.isEmpty)) return isReadable ? data : undefined
    return this.#updates.read(row, this.resultOf(row), this.#lists)
  }

  /**
   * Puts a mutation's expected answer on top.
   *
   * @throws {SelfsameError} when it does not have the form of its schema; nothing is changed then
   */
  add({ start, schema, response, origin, updates }: Expectation): void {
    const sink = new LayerSink(this.#store)
    const expected = schema === undefined ? response : normalizeInto(sink, schema, response, origin)
    const read = (result: unknown) =>
      schema === undefined || schema instanceof DeleteSchema
        ? response
        : this.#store.readOnce(schema, result, origin.args)
    const layer: Layer = {
      start,
      expected,
      patches: sink.patches,
      expectedPatches: new Map(sink.patches),
      changes: sink.changes,
      updates: updates && ((current) => updates(read(current.expected))),
    }
    this.#layers = [...this.#layers, layer].sort((a, b) => a.start - b.start)
    this.#show(layer)
    this.#updates.isOutdated = true
    this.fold()
  }

  /** Whether a mutation has a layer. */
  has(start: number): boolean {
    return this.#layers.some((layer) => layer.start === start)
  }

  /**
   * Takes a mutation's layer away; does nothing when it has none.
   *
   * @returns the layer
   */
  remove(start: number): Layer | undefined {
    const layer = this.#layers.find((other) => other.start === start)
    if (layer === undefined) return undefined
    this.#layers = this.#layers.filter((other) => other !== layer)
    this.#show(layer)
    this.#updates.isOutdated = true
    this.fold()
    return layer
  }

  /**
   * Lets the records that a mutation was answered with stand for the temporary ones that were shown in their place,
   * wherever other layers or arguments name these (specification F7).
   */
  replaceTemporary(layer: Layer, answer: unknown): void {
    const replaced = new Map<Reference, RecordNode>()
    pairRecords(layer.expected, answer, (expected, real) => {
      const isTemporary = expected.stamp.fetchedAt === neverWritten.fetchedAt
      if (expected === real || !isTemporary || expected.table !== real.table) return
      replaced.set(expected, real)
      real.table.replaceTemporary(expected, real)
    })
    if (replaced.size === 0) return
    this.#layers = this.#layers.map((other) => this.#withReplaced(other, replaced))
    for (const [expected, real] of replaced) {
      const temporary = expected as RecordNode
      this.#records.delete(temporary)
      this.#store.showFields(temporary, undefined)
      this.#store.showFields(real, this.foldRecord(real, this.fieldsOf(real)))
    }
    for (const other of this.#layers) this.#show(other)
    this.#updates.isOutdated = true
    this.#foldUpdates()
  }

  /** A layer that names other records in place of some. */
  #withReplaced(layer: Layer, replaced: ReadonlyMap<Reference, RecordNode>): Layer {
    const patches = new Map<RecordNode, Fields | undefined>()
    for (const [node, fields] of layer.expectedPatches) {
      const patch = replaceIn(fields, replaced) as Fields | undefined
      const real = replaced.get(node)
      if (real === undefined) patches.set(node, patch)
      else patches.set(real, patch && withRealKey(patch, node.pk, real, this.fieldsOf(real)))
    }
    const changes = layer.changes.map(({ table, change }) => ({
      table,
      change: { ...change, members: replaceIn(change.members, replaced) },
    }))
    const expectedPatches = new Map(patches)
    return { ...layer, expected: replaceIn(layer.expected, replaced), patches, expectedPatches, changes }
  }

  /** Shows what layers make of what was received. */
  fold(): void {
    this.#foldLists()
    this.#foldUpdates()
  }

  #foldUpdates(): void {
    if (this.#updates.isEmpty && !this.#layers.some(({ updates }) => updates !== undefined)) return
    this.#updates.fold(this.#layers, {
      takeBack: (layer) => this.#takeBack(layer),
      membersBelow: (node) => this.foldList(node.table, node, this.membersOf(node)),
      patch: (layer, patches) => this.#patch(layer, patches),
    })
  }

  /**
   * Shows the lists that layers change as they are with the records that were received: which of them a record leaves
   * or joins depends on what it was.
   */
  #foldLists(): void {
    if (!this.#hasFolded) return
    this.#hasFolded = false
    for (const layer of this.#layers) this.#showLists(layer)
  }

  /** Forgets all layers, without showing what is below: everything is about to be dropped. */
  clear(): void {
    this.#layers = []
    this.#records.clear()
    this.#lists.clear()
    this.#updates.clear()
  }

  get isEmpty(): boolean {
    return this.#layers.length === 0
  }

  /** What layers touch or refer to, perhaps alone: it is not collected. */
  get touched(): readonly unknown[] {
    const ofLayers = this.#layers.flatMap(({ expected, patches, changes }) => [
      expected,
      ...patches.keys(),
      ...patches.values(),
      ...changes.map(({ change }) => change.members),
    ])
    return [...this.#records.keys(), ...this.#lists.keys(), ...ofLayers, ...this.#updates.received]
  }

  /** A list is not there any more. */
  forgetList(node: CollectionNode): void {
    this.#lists.delete(node)
  }

  /** Lets a layer write more than its expected answer does: records that an update made. */
  #patch(layer: Layer, patches: ReadonlyMap<RecordNode, Fields | undefined>): void {
    for (const [node, fields] of patches) {
      const earlier = layer.patches.get(node)
      const merged = earlier === undefined || fields === undefined ? fields : mergeFields(earlier, fields)
      if (merged === earlier) continue
      layer.patches.set(node, merged)
      this.#store.showFields(node, this.foldRecord(node, this.fieldsOf(node)))
    }
  }

  /** Takes away what updates wrote. */
  #takeBack({ patches, expectedPatches }: Layer): void {
    for (const [node, fields] of [...patches]) {
      if (expectedPatches.get(node) === fields && expectedPatches.has(node)) continue
      if (expectedPatches.has(node)) patches.set(node, expectedPatches.get(node))
      else patches.delete(node)
      this.#store.showFields(node, this.foldRecord(node, this.fieldsOf(node)))
    }
  }

  /** Shows all that a layer touches, as it is with the layers that there are now. */
  #show(layer: Layer): void {
    for (const node of layer.patches.keys()) {
      this.#store.showFields(node, this.foldRecord(node, this.fieldsOf(node)))
    }
    this.#showLists(layer)
  }

  #showLists({ changes }: Layer): void {
    for (const { table } of changes) {
      for (const node of table.nodes.values()) {
        this.#store.showMembers(node, this.foldList(table, node, this.membersOf(node)))
      }
    }
  }
}

/** What is shown of a record through some layers. */
function foldPatches(
  node: RecordNode,
  received: Fields | undefined,
  layers: readonly Layer[],
): Fields | undefined {
  let shown = received
  for (const { patches } of layers) {
    if (!patches.has(node)) continue
    const patch = patches.get(node)
    shown = patch === undefined || shown === undefined ? patch : mergeFields(shown, patch)
  }
  return shown
}

/** Calls a function with the records that stand at the same places of two normalized values. */
function pairRecords(a: unknown, b: unknown, pair: (a: RecordNode, b: RecordNode) => void): void {
  if (a instanceof RecordNode && b instanceof RecordNode) pair(a, b)
  else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    a.forEach((item, index) => pairRecords(item, b[index], pair))
  } else if (isPlainObject(a) && isPlainObject(b)) {
    for (const name of Object.keys(a)) if (Object.hasOwn(b, name)) pairRecords(a[name], b[name], pair)
  }
}

function replaceIn(value: unknown, replaced: ReadonlyMap<Reference, RecordNode>): unknown {
  return replaceReferences(value, (reference) => replaced.get(reference) ?? reference)
}
