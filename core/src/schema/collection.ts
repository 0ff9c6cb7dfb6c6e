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
import type { Fields } from './fields.js'
import { ListSchema, MembersSchema } from './members.js'
import { isContract } from './schema.js'
import type {
  DenormalizeDelegate,
  ListHome,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'

/** The options of a Collection. */
export interface CollectionOptions {
  /**
   * Returns the arguments that identify the list of a call, and that decide which records belong to it. Calls with equal
   * results share one list.
   *
   * @default each call has a list of its own; its arguments decide which records belong to it
   */
  // The arguments are those of whatever endpoint uses the Collection.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly argsKey?: ((...args: any) => CollectionArgs) | undefined
  /**
   * Returns the arguments that identify a list in a field of a record, for example `(user) => ({ userId: user.id })`. A
   * call with these params reads the same list, as with `argsKey`.
   *
   * @default the record and its field; only responses that hold the record change such a list
   */
  // The parent is whatever record has the field.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly nestKey?: ((parent: any, key: string) => CollectionArgs) | undefined
  /**
   * Arguments that change the presentation of a list, not its members, in addition to `page`, `cursor`, `sort`, `order` and
   * `limit`.
   */
  readonly nonFilterArgumentKeys?: readonly string[] | ((name: string) => boolean) | undefined
  /**
   * `true` lets mutations of other paths change the list: a record created at `/article` then joins `/article/popular`. A
   * list without a path, or with `nestKey`, is always changed.
   *
   * @default false
   */
  readonly joinsAcrossPaths?: boolean | undefined
}

/** A member of a Collection, as its mutations return it. */
export type MemberOf<Content> =
  Denormalize<Content> extends readonly (infer Member)[]
    ? Member
    : Denormalize<Content> extends Readonly<Record<string, infer Value>>
      ? Value
      : never

/** `true` if a record belongs to a list; `undefined` if its arguments cannot tell. */
type Belongs = boolean | undefined

const neverFilters: ReadonlySet<string> = new Set(['page', 'cursor', 'sort', 'order', 'limit'])

/**
 * A list, or map, with an identity, so that mutations can change it. Its identity is that of its call, or of the record
 * and field that hold it; `argsKey` and `nestKey` change that. A mutation of one Collection changes the lists of all
 * Collections with the same members.
 *
 * `push`, `unshift` and `assign` add a record to the stored lists whose arguments all equal the record's fields, or else
 * the params of the mutation. A list with an argument that matches neither, such as a search, becomes Stale. `remove` takes
 * the record out of its lists. `move` takes it out of the lists that it no longer belongs to after a change, and adds it
 * to those that it now belongs to.
 *
 * @see specification 3 (lists), S18, S19, S20
 * @example
 * const getTodos = new RestEndpoint({ path: '/todo', schema: new schema.Collection([Todo]) })
 * const addTodo = getTodos.extend({ method: 'POST', schema: getTodos.schema.push })
 */
export class CollectionSchema<const Content = readonly [Schema]> implements SchemaContract<
  Denormalize<Content>
> {
  /** @internal */
  readonly isReplacing = true
  /** The schema of the list. */
  readonly content: MembersSchema
  /** @internal */
  readonly isOwnView = true
  readonly #options: CollectionOptions
  #home: ListHome | undefined
  /** The same for other endpoints. */
  #others: Map<string, this> | undefined
  #kind: { readonly of: unknown; readonly name: string } | undefined

  /**
   * @param content - `[Todo]`, `new schema.Array(…)` or `new schema.Values(…)`
   * @throws {SelfsameError} `definition-invalid` for anything else
   */
  protected constructor(content: Content, options: CollectionOptions = {}) {
    this.content = toContent(content)
    this.#options = options
  }

  /** Makes what keeps its lists in a store. @internal */
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

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const list = this.#identityOf(parent, key, delegate)
    const members = this.content.normalize(input, parent, key, delegate)
    return (delegate as StoreNormalizeDelegate).collection(this, list, members)
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): Denormalize<Content> | undefined {
    if (input === null || input === undefined) return input as undefined
    // The content's own schema built it.
    return (delegate as StoreDenormalizeDelegate).collection(this, input) as Denormalize<Content> | undefined
  }

  /** Finds the list by the call of its endpoint with these arguments, or by `argsKey`, loaded or not. */
  queryKey([params]: readonly unknown[], delegate: QueryDelegate): unknown {
    // A Query hands over its own arguments as well.
    const args = params === undefined ? [] : [params]
    return (delegate as StoreQueryDelegate).listOf(
      this,
      this.listOfCall(this.#callOf(args), this.#home?.place ?? '', args),
    )
  }

  /**
   * The identity of the list in the response of a call.
   *
   * @param call - the key of the call; `undefined` if the list is not read by one
   * @param place - the path of the list in the response: field names from the root
   * @internal
   */
  listOfCall(call: string | undefined, place: string, args: readonly unknown[]): ListIdentity {
    const { argsKey, nestKey } = this.#options
    const filter = argsKey === undefined ? toFilter(args) : argsKey(...args)
    // A list that a record holds has the name that its arguments have in a call.
    const isByArgs = argsKey !== undefined || nestKey !== undefined || call === undefined
    return {
      name: `${isByArgs ? this.#nameOf(filter) : nameOfCall(call)} ${place}`,
      args: filter,
      isFilter: true,
      call,
    }
  }

  /**
   * The Collection of an endpoint: the same one where it has no endpoint yet, or that one; else one of its own, always
   * the same for the same endpoint. Of several endpoints without a path that share one, the first is its endpoint.
   *
   * @internal
   */
  withHome(home: ListHome): this {
    return this.#home !== undefined && home.path === undefined ? this : this.#boundTo(home)
  }

  /** What its lists have in common with all that one mutation may reach: their members. @internal */
  get members(): unknown {
    const contract = contractOf(this.content.member)
    return contract instanceof EntityPlan ? contract.key : contract
  }

  /** Equal for Collections whose lists are the same where their names are: of one class of members, with the same options. @internal */
  get kind(): string {
    const contract = contractOf(this.content.member)
    if (this.#kind?.of === contract) return this.#kind.name
    const { argsKey, nestKey, nonFilterArgumentKeys: others, joinsAcrossPaths = false } = this.#options
    const functions = [contract, argsKey, nestKey, typeof others === 'function' ? others : undefined]
    const names = typeof others === 'object' ? [...others].sort().join() : ''
    const options = [...functions.map(numberOf), this.content.isMap, joinsAcrossPaths, names]
    this.#kind = { of: contract, name: options.join(' ') }
    return this.#kind.name
  }

  /** Whether mutations of another Collection reach the lists of this one. @internal */
  isReachedBy(other: CollectionSchema<unknown>): boolean {
    if (other === this || this.#options.joinsAcrossPaths === true || this.#options.nestKey !== undefined)
      return true
    const [path, from] = [this.#home?.path, other.#home?.path]
    return path === undefined || from === undefined || path === from
  }

  /**
   * Whether a list is one that a record belongs to.
   *
   * @param names - the arguments that say so: what `filterNames` gives
   * @param args - what the record is compared with
   * @param fields - the record
   * @param params - the params of the mutation, for arguments that the record does not name
   * @internal
   */
  belongs(names: readonly string[], args: CollectionArgs, fields: Fields, params: unknown): Belongs {
    let belongs: Belongs = true
    for (const name of names) {
      const value = fields[name] === undefined ? given(params, name) : fields[name]
      const isEqual = isSameArgument(value === undefined ? this.#defaultOf(name) : value, args[name])
      if (value === undefined && !isEqual) belongs = undefined
      else if (!isEqual) return false
    }
    return belongs
  }

  /** The arguments that say which records belong to a list. @internal */
  filterNames(args: CollectionArgs): readonly string[] {
    return Object.keys(args).filter((name) => args[name] !== undefined && this.#filters(name))
  }

  #change<Value = MemberOf<Content>>(kind: CollectionChangeKind): CollectionChange<Content, Value> {
    return new CollectionChange(this, kind)
  }

  #boundTo(home: ListHome): this {
    this.#home ??= home
    if (this.#home.id === home.id && this.#home.place === home.place) return this
    this.#others ??= new Map()
    const key = `${home.id} ${home.place}`
    let other = this.#others.get(key)
    if (other === undefined) {
      const Class = this.constructor as new (content: MembersSchema, options: CollectionOptions) => this
      other = new Class(this.content, this.#options)
      other.#boundTo(home)
      this.#others.set(key, other)
    }
    return other
  }

  #identityOf(parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): ListIdentity {
    const { nestKey } = this.#options
    const { owner, args } = delegate
    if (owner === undefined) return this.listOfCall(delegate.call ?? this.#callOf(args), delegate.place, args)
    if (nestKey === undefined) {
      const name = `${JSON.stringify([owner.key, owner.pk])} ${String(key)}`
      return { name, args: {}, isFilter: false, call: undefined }
    }
    const filter = nestKey(parent, String(key))
    return { name: `${this.#nameOf(filter)} `, args: filter, isFilter: true, call: undefined }
  }

  /** The call of its endpoint with these arguments; `undefined` where there is no such call. */
  #callOf(args: readonly unknown[]): string | undefined {
    try {
      return this.#home?.key(...(args as never[]))
    } catch {
      // A param of the path is missing: no call was made with these arguments.
      return undefined
    }
  }

  /** Lists of other paths are others, also where their arguments are the same. */
  #nameOf(args: CollectionArgs): string {
    return `${this.#home?.path ?? ''} ${stableStringify(args)}`
  }

  /** What a record that was received without a field shows there. */
  #defaultOf(name: string): unknown {
    const contract = contractOf(this.content.member)
    return contract instanceof EntityPlan ? contract.defaultOf(name) : undefined
  }

  #filters(name: string): boolean {
    if (neverFilters.has(name)) return false
    const { nonFilterArgumentKeys: others } = this.#options
    return typeof others === 'function' ? !others(name) : others === undefined || !others.includes(name)
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
  readonly collection: CollectionSchema<Content>
  readonly kind: CollectionChangeKind

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
    ;(delegate as StoreNormalizeDelegate).changeCollections(this.collection, this.kind, result)
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

/** What a list is filtered by: the params, and further arguments by their places, which no field of a record has. */
function toFilter(args: readonly unknown[]): CollectionArgs {
  const [params, ...others] = args
  if (isPlainObject(params) && others.length === 0) return params
  return { ...(isPlainObject(params) ? { ...params, ...others } : args) }
}

/** A call without params is one with none, whatever its endpoint makes of it. */
function nameOfCall(key: string): string {
  return key.endsWith(' [{}]') ? `${key.slice(0, -3)}]` : key
}

function isSameArgument(a: unknown, b: unknown): boolean {
  return a === b || stableStringify(a) === stableStringify(b)
}

function given(params: unknown, name: string): unknown {
  return isPlainObject(params) && Object.hasOwn(params, name) ? params[name] : undefined
}

const numbers = new WeakMap<object, number>()
let numbered = 0

/** Tells objects apart in a text. */
function numberOf(object: object | undefined): number {
  if (object === undefined) return 0
  let number = numbers.get(object)
  if (number === undefined) numbers.set(object, (number = ++numbered))
  return number
}

/** A polymorphic value is a pair of attribute and value; a list of records is none. */
function isPair(input: readonly unknown[]): boolean {
  return input.length === 2 && (input[0] === null || typeof input[0] === 'string')
}

function toContent(content: unknown): MembersSchema {
  if (content instanceof MembersSchema) return content
  const member: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined
  if (member !== undefined && !isContract(content)) return new ListSchema(member as Schema)
  if (content === undefined || (Array.isArray(content) && content.length === 1 && member === undefined))
    throw errors.schemaUndefined('What schema.Collection was given')
  throw errors.definitionInvalid(
    'schema.Collection',
    development && [
      'was given neither a list nor a map.',
      'Write new schema.Collection([Todo]), or pass a schema.Array or schema.Values.',
    ],
  )
}
