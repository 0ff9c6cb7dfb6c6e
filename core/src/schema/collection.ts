import { development } from '#development'
import * as errors from '../errors.js'
import { isPlainObject } from '../util/plain.js'
import { stableStringify } from '../util/stable-stringify.js'
import { contractOf } from './contract-of.js'
import type {
  CollectionArgs,
  CollectionChangeKind,
  ListIdentity,
  StoreDenormalizeDelegate,
  StoreNormalizeDelegate,
  StoreQueryDelegate,
} from './delegates.js'
import type { Denormalize } from './denormalized.js'
import { EntityPlan } from './entity-plan.js'
import { ruled } from './ruled-list.js'
import type { ListOrder, ListRule } from './ruled-list.js'
import { ListSchema, MembersSchema, isPair } from './members-schema.js'
import type {
  DenormalizeDelegate,
  ListHome,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'
import { getOrMake } from '../util/get-or-make.js'

/**
 * The options that say what the arguments of a list mean, and what decides which records belong to it. `createResource` takes
 * them, too.
 */
// Without a Collection its members and the arguments of its endpoint are not known.
// eslint-disable-next-line typescript/no-explicit-any
export interface ListOptions<Member = any, Args = any> {
  /** Arguments that change neither the members of a list nor their order, such as `expand`. They win over the options below. */
  readonly nonFilterArgumentKeys?: readonly string[] | ((name: string) => boolean) | undefined
  /**
   * Arguments that name a part of a longer list. Such a list takes no record of a mutation: it becomes Stale. A param of the
   * path is never among them.
   *
   * @default ['page', 'offset', 'cursor'], and the `paginationField` of a resource
   */
  readonly placeArgumentKeys?: readonly string[] | undefined
  /**
   * Arguments that name the order of a list. It shows a created record at its end, and is Stale once the mutation is answered,
   * unless `orderBy` decides the place.
   *
   * @default ['sort', 'order']
   */
  readonly orderArgumentKeys?: readonly string[] | undefined
  /**
   * Arguments that name the length of a list. It shows a created record, and is Stale once the mutation is answered.
   *
   * @default ['limit']
   */
  readonly limitArgumentKeys?: readonly string[] | undefined
  /**
   * Decides which records belong to a list, by its arguments: `rule(…)` of `@selfsame/core/rules`. Arguments that it does not
   * read, and that are no fields of the record, are compared as without it.
   *
   * @default the arguments of a list equal the fields of its records
   */
  readonly filter?: ListRule<Member, Args> | undefined
  /**
   * Decides the position of a record that a mutation adds to a list or changes in it: `order(…)` of `@selfsame/core/rules`. The
   * members of a response stay in its order.
   *
   * @default a record is added at the end
   */
  readonly orderBy?: ListOrder<Member, Args> | undefined
}

/** The options of a Collection. */
// Without a Collection its members are not known.
// eslint-disable-next-line typescript/no-explicit-any
export interface CollectionOptions<Member = any> extends ListOptions<Member> {
  /**
   * Returns the arguments that identify the list of a call, and that decide which records belong to it. Calls with equal
   * results share one list.
   *
   * @default each call has its own list; its arguments decide which records belong to it
   */
  // The arguments are those of the endpoint that uses the Collection.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly argsKey?: ((...args: any) => CollectionArgs) | undefined
  /**
   * Returns the arguments that identify a list in a field of a record, for example `(user) => ({ userId: user.id })`. A
   * call with these params reads the same list, as with `argsKey`.
   *
   * @default the record and its field; only responses that hold the record change such a list
   */
  // The parent is the record that has the field; the user declares its type.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly nestKey?: ((parent: any, key: string) => CollectionArgs) | undefined
  /**
   * `true` lets mutations of other paths change the list: a record created at `/article` then joins `/article/popular`. A
   * list without a path, or with `nestKey`, is always changed.
   *
   * @default false
   */
  readonly joinsAcrossPaths?: boolean | undefined
}

/** A member of a Collection, as its mutations return it. */
export type MemberOf<Content> = Content extends readonly (infer Member)[]
  ? Denormalize<Member>
  : Denormalize<Content> extends readonly (infer Member)[]
    ? Member
    : Denormalize<Content> extends Readonly<Record<string, infer Value>>
      ? Value
      : never

/** What the arguments of a list say of it. */
export interface ListPart {
  /** The arguments that decide which records belong to the list. */
  readonly filter: CollectionArgs
  /** Returns `true` if an argument is that of a field in any case: a param of the path, or of `nestKey`. */
  readonly isOfPath: (name: string) => boolean
  /** `true` if it is a part of a longer list, to which mutations add nothing. */
  readonly isPlaced: boolean
  /** `true` if its length is limited. */
  readonly isLimited: boolean
  /** `true` if it has an order that only the server knows. */
  readonly isOrdered: boolean
}

/** @throws {SelfsameError} `definition-invalid` for a regular expression, also in a list of names, and for text */
function checkNames(options: CollectionOptions): void {
  for (const [option, names] of Object.entries(options) as [string, unknown][]) {
    const found: unknown = Array.isArray(names) ? names.find((name) => name instanceof RegExp) : names
    const isText = typeof found === 'string' && option.endsWith('ArgumentKeys')
    if (!(found instanceof RegExp || isText)) continue
    const what = isText ? JSON.stringify(found) : `the regular expression ${String(found)}`
    throw errors.definitionInvalid(`The option \`${option}\` of a Collection`, [
      `${Array.isArray(names) ? 'contains' : 'is'} ${what}, which it does not take.`,
      option.startsWith('nonFilter') && !isText
        ? `Pass a list of names, or a function: \`(name) => ${String(found)}.test(name)\`.`
        : 'Pass a list of names.',
    ])
  }
}

/** The arguments that name a place, unless an option names others. @internal */
export const defaultPlaces: readonly string[] = ['page', 'offset', 'cursor']
const defaultOrders: readonly string[] = ['sort', 'order']
const defaultLimits: readonly string[] = ['limit']

/**
 * A list, or map, with an identity, so that mutations can change it. Its identity is that of its call, or of the record
 * and field that hold it; `argsKey` and `nestKey` change that. A mutation of one Collection changes the lists of all
 * Collections with the same members.
 *
 * `push`, `unshift` and `assign` add a record to the stored lists whose arguments all equal the record's fields, or else
 * the params of the mutation. A list with an argument that matches neither, such as a search, becomes Stale. `remove` removes
 * the record from its lists. `move` takes it out of the lists that it no longer belongs to after a change, and adds it
 * to those that it now belongs to.
 *
 * @see specification 4.1, Lists, S18, S19, S20
 * @example
 * const getTodos = new RestEndpoint({ path: '/todo', schema: new schema.Collection([Todo]) })
 * const addTodo = getTodos.extend({ method: 'POST', schema: getTodos.schema.push })
 */
export class CollectionSchema<const Content = readonly [Schema]> implements SchemaContract<
  Denormalize<Content>
> {
  /** @internal */
  readonly isReplacing = true
  readonly isRequired = true
  /** The schema of the list. */
  declare readonly content: MembersSchema
  /** @internal */
  readonly isOwnView = true
  /** @internal */
  declare readonly options: CollectionOptions
  #home: ListHome | undefined
  /** Collections with the same content and options for other endpoints, by endpoint and path in its response. */
  readonly #others = new Map<string, this>()
  #kind: { readonly of: unknown; readonly name: string } | undefined

  /**
   * @param content - `[Todo]`, `new schema.Array(…)` or `new schema.Values(…)`
   * @throws {SelfsameError} in development `definition-invalid` for anything else, and for a `filter` or `orderBy` that `rule`
   *   or `order` did not make
   */
  protected constructor(content: Content, options: CollectionOptions = {}) {
    this.content = toContent(content)
    this.options = options
    if (development) {
      checkRules(options)
      checkNames(options)
    }
    if ((options.filter ?? options.orderBy)?.attach !== undefined) ruled.first ??= this
  }

  /** Makes the part of a store that keeps its lists. @internal */
  makeLists?(store: object): object

  /** The schema of a mutation that adds a record at the end of its lists. */
  get push(): CollectionChange<Content> {
    return this.#change('push')
  }

  /** The schema of a mutation that adds a record at the beginning of its lists. */
  get unshift(): CollectionChange<Content> {
    return this.#change('unshift')
  }

  /** The schema of a mutation that sets entries of its maps: an object of keys and records. */
  get assign(): CollectionChange<Content, Denormalize<Content>> {
    return this.#change('assign')
  }

  /** The schema of a mutation that takes a record out of its lists. The record stays. */
  get remove(): CollectionChange<Content> {
    return this.#change('remove')
  }

  /** The schema of a mutation that moves a record to the lists that match its new fields. */
  get move(): CollectionChange<Content> {
    return this.#change('move')
  }

  /** @internal */
  get parts(): unknown {
    return [this.content, this.options]
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const list = this.identityOf(parent, key, delegate)
    const members = this.content.normalize(input, parent, key, delegate)
    const { lists } = delegate as StoreNormalizeDelegate
    return lists === undefined ? members : lists.collection(this, list, members)
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): Denormalize<Content> | undefined {
    if (input === null || input === undefined) return input as undefined
    // The content's own schema built it.
    return (delegate as StoreDenormalizeDelegate).collection(this, input) as Denormalize<Content> | undefined
  }

  /** Returns a reference to the list of the endpoint's call with these arguments, or of `argsKey`, loaded or not. */
  queryKey([params]: readonly unknown[], delegate: QueryDelegate): unknown {
    // The arguments after the first are those of a Query.
    const args = params === undefined ? [] : [params]
    return (delegate as StoreQueryDelegate).listOf(
      this,
      this.listOfCall(this.#callOf(args), this.#home?.place ?? '', args),
    )
  }

  /**
   * Returns the identity of the list in the response of a call.
   *
   * @param call - the key of the call; `undefined` if no call reads the list
   * @param place - the path of the list in the response: field names from the root
   * @internal
   */
  listOfCall(call: string | undefined, place: string, args: readonly unknown[]): ListIdentity {
    const filter = toFilter(args)
    const name = call === undefined ? this.nameOf(filter) : nameOfCall(call)
    return { name: `${name} ${place}`, args: filter, isFilter: true, call }
  }

  /**
   * Returns the Collection of an endpoint: this one if it has no endpoint yet, or the same endpoint; else a copy, always the
   * same for the same endpoint. If several endpoints without a path share a Collection, it belongs to the first.
   *
   * @internal
   */
  withHome(home: ListHome): this {
    if (this.#home !== undefined && home.path === undefined) return this
    const { id, place } = (this.#home ??= home)
    if (id === home.id && place === home.place) return this
    return getOrMake(this.#others, `${home.id} ${home.place}`, () => {
      const Class = this.constructor as new (content: MembersSchema, options: CollectionOptions) => this
      const other = new Class(this.content, this.options)
      other.#home = home
      return other
    })
  }

  /** Identifies the schema of its members: one mutation may change the lists of all Collections with the same. @internal */
  get members(): unknown {
    const contract = contractOf(this.content.member)
    return contract instanceof EntityPlan ? contract.key : contract
  }

  /** Equal for Collections with the same members and options: they share the lists with equal names. @internal */
  get kind(): string {
    const contract = contractOf(this.content.member)
    if (this.#kind?.of === contract) return this.#kind.name
    this.#kind = { of: contract, name: this.kindOf(contract) }
    return this.#kind.name
  }

  /** @param contract - that of the members @internal */
  kindOf(contract: SchemaContract): string {
    const { options } = this
    const others = options.nonFilterArgumentKeys
    const names = typeof others === 'function' ? numberOf(others) : others && [...others].sort()
    const keys = [options.placeArgumentKeys, options.orderArgumentKeys, options.limitArgumentKeys]
    const rules = `${numberOf(options.filter)} ${numberOf(options.orderBy)}`
    return `${numberOf(contract)} ${this.content.isMap} ${names} ${keys.join(';')} ${rules}`
  }

  /** Returns `true` if mutations of another Collection with the same members change the lists of this one. @internal */
  isReachedBy(other: CollectionSchema<unknown>): boolean {
    if (other === this) return true
    const [path, from] = [this.#home?.path, other.#home?.path]
    return path === undefined || from === undefined || path === from
  }

  /** Returns what the arguments of a list say of it. @param call - the key of the call that reads it @internal */
  partOf(args: CollectionArgs, call?: string): ListPart {
    const {
      argsKey,
      nestKey,
      nonFilterArgumentKeys: others,
      placeArgumentKeys: places = defaultPlaces,
      orderArgumentKeys: orders = defaultOrders,
      limitArgumentKeys: limits = defaultLimits,
      orderBy,
    } = this.options
    const { path, searchParams } = this.#home ?? {}
    const ofPath: readonly string[] = path?.match(/:\w+/g) ?? []
    // A default of a search param that is '' is not sent.
    const isGiven = (name: string) => (args[name] ?? (searchParams?.[name] || undefined)) !== undefined
    const isOther = (name: string) =>
      (typeof others === 'function' ? others(name) : others?.includes(name)) === true
    const isOfPath = (name: string) => nestKey !== undefined || ofPath.includes(`:${name}`)
    const isPart = (name: string) => !ofPath.includes(`:${name}`) && !isOther(name)
    // What the address leaves out decides nothing. Without an argument that has a default, that would be sent.
    const isSent = (name: string) =>
      argsKey !== undefined || searchParams?.[name] || this.#callOf([{ ...args, [name]: undefined }]) !== call
    const has = (kind: readonly string[]) => kind.some((name) => isGiven(name) && isPart(name))
    const filters = Object.entries(args).filter(
      ([name, value]) =>
        value !== undefined &&
        !isOther(name) &&
        (call === undefined || isSent(name)) &&
        !(isPart(name) && [places, orders, limits].some((kind) => kind.includes(name))),
    )
    return {
      filter: Object.fromEntries(filters),
      isOfPath,
      isPlaced: has(places),
      isLimited: has(limits),
      isOrdered: orderBy === undefined && has(orders),
    }
  }

  /** Returns the default of a field of its members. @internal */
  defaultOf(name: string): unknown {
    const contract = contractOf(this.content.member)
    return contract instanceof EntityPlan ? contract.create()[name] : undefined
  }

  #change<Value = MemberOf<Content>>(kind: CollectionChangeKind): CollectionChange<Content, Value> {
    return new CollectionChange(this, kind)
  }

  /** Returns the identity of a received list: that of its call, or of the record and the field that hold it. @internal */
  identityOf(
    _parent: unknown,
    key: PayloadKey,
    { owner, args, call, place }: NormalizeDelegate,
  ): ListIdentity {
    if (owner === undefined) return this.listOfCall(call ?? this.#callOf(args), place, args)
    const name = `${JSON.stringify([owner.key, owner.pk])} ${String(key)}`
    return { name, args: {}, isFilter: false, call: undefined }
  }

  /** Returns the key of its endpoint's call with these arguments; `undefined` if there is no such call. */
  #callOf(args: readonly unknown[]): string | undefined {
    try {
      return this.#home?.key(...(args as never[]))
    } catch {
      // A param of the path is missing, so no call can have these arguments.
      return undefined
    }
  }

  /** The name contains the path: lists of different paths differ even if their arguments are equal. @internal */
  nameOf(args: CollectionArgs): string {
    return `${this.#home?.path ?? ''} ${stableStringify(args)}`
  }
}

/**
 * The schema of a mutation that changes the lists of a Collection: a record, or a list of records.
 *
 * @see CollectionSchema
 */
export class CollectionChange<
  Content = readonly [Schema],
  Value = MemberOf<Content>,
> implements SchemaContract<Value> {
  /** @internal */
  readonly isReplacing = true
  declare readonly collection: CollectionSchema<Content>
  declare readonly kind: CollectionChangeKind

  constructor(collection: CollectionSchema<Content>, kind: CollectionChangeKind) {
    this.collection = collection
    this.kind = kind
  }

  /** @internal */
  get recordSchema(): Schema {
    return this.collection.content.member
  }

  /** @internal */
  get changedLists(): SchemaContract {
    return this.collection
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const { content } = this.collection
    const result =
      this.kind === 'assign' || Array.isArray(input)
        ? content.normalize(input, parent, key, delegate)
        : delegate.visitAs(content.member, input, parent, key)
    const { lists } = delegate as StoreNormalizeDelegate
    lists?.changeCollections(this.collection, this.kind, result, delegate.args)
    return result
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): Value | undefined {
    const { content } = this.collection
    const isMany =
      this.kind === 'assign' ||
      (Array.isArray(input) && !(contractOf(content.member).isPolymorphic === true && isPair(input)))
    return (isMany ? content.denormalize(input, delegate) : delegate.resolve(content.member, input)) as
      Value | undefined
  }
}

/**
 * Returns the arguments of a call as the filter of its list: the params, and further arguments by their index. No record has
 * a field with such a name, so a mutation cannot tell whether its record belongs to the list.
 */
function toFilter(args: readonly unknown[]): CollectionArgs {
  const [params, ...others] = args
  if (isPlainObject(params) && others.length === 0) return params
  return { ...(isPlainObject(params) ? { ...params, ...others } : args) }
}

/** Gives the calls `()` and `({})` of an Endpoint, whose keys differ, the same list. */
function nameOfCall(key: string): string {
  return key.endsWith(' [{}]') ? `${key.slice(0, -3)}]` : key
}

const numbers = new WeakMap<object, number>()
let numbered = 0

/** Returns a number that identifies an object in a text; 0 for `undefined`. */
export function numberOf(object: object | undefined): number {
  return object === undefined ? 0 : getOrMake(numbers, object, () => ++numbered)
}

function checkRules({ filter, orderBy }: CollectionOptions): void {
  for (const [name, made, by] of [
    ['filter', filter?.decide, 'rule'],
    ['orderBy', orderBy?.place, 'order'],
  ] as const) {
    if ((name === 'filter' ? filter : orderBy) === undefined || typeof made === 'function') continue
    throw errors.definitionInvalid(`The option \`${name}\` of a list`, [
      `is not the result of \`${by}\`.`,
      `Write ${name}: ${by}(…), with \`${by}\` of @selfsame/core/rules.`,
    ])
  }
}

function toContent(content: unknown): MembersSchema {
  if (content instanceof MembersSchema) return content
  if (development && content !== undefined && !(Array.isArray(content) && content.length === 1)) {
    throw errors.definitionInvalid('schema.Collection', [
      'received neither a list nor a map.',
      'Write new schema.Collection([Todo]), or pass a schema.Array or schema.Values.',
    ])
  }
  const [member] = (content ?? []) as readonly (Schema | undefined)[]
  if (member === undefined) throw errors.schemaUndefined('The schema of a schema.Collection')
  return new ListSchema(member)
}
