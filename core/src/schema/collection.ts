import * as errors from '../errors.js'
import { stableStringify } from '../util/stable-stringify.js'
import { contractOf } from './contract-of.js'
import type { Denormalize } from './denormalized.js'
import type { Fields } from './fields.js'
import { ListSchema, MembersSchema } from './members.js'
import { isContract } from './schema.js'
import type {
  DenormalizeDelegate,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'

/** What names one list of a Collection: the arguments that it was asked for with. */
export type CollectionArgs = Readonly<Record<string, unknown>>

/** What a Collection may be told. */
export interface CollectionOptions {
  /**
   * What names a list that a call answers.
   *
   * @default the call's params
   */
  // The arguments are those of whatever endpoint uses the Collection.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly argsKey?: ((...args: any) => CollectionArgs) | undefined
  /**
   * What names a list that is a field of a record, for example `(user) => ({ userId: user.id })`.
   *
   * @default the record itself; such a list is joined by nothing but its own answers
   */
  // The parent is whatever record has the field.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly nestKey?: ((parent: any, key: string) => CollectionArgs) | undefined
  /**
   * Names of arguments that say how a list is shown rather than what belongs to it, besides `page`, `cursor`,
   * `sort`, `order` and `limit`.
   */
  readonly nonFilterArgumentKeys?: readonly string[] | ((name: string) => boolean) | undefined
}

/** How a mutation changes the lists that its record belongs to. */
export type CollectionChangeKind = 'push' | 'unshift' | 'assign' | 'remove' | 'move'

/** One record of a Collection, as its mutations answer it. */
type MemberOf<Content> =
  Denormalize<Content> extends readonly (infer Member)[]
    ? Member
    : Denormalize<Content> extends Readonly<Record<string, infer Value>>
      ? Value
      : never

const neverFilters: ReadonlySet<string> = new Set(['page', 'cursor', 'sort', 'order', 'limit'])

/**
 * A list, or map, that has an identity: it is known by its arguments, so that mutations can change it.
 *
 * A record joins, by `push`, `unshift` or `assign`, those stored lists whose arguments all equal the record's own
 * fields, or else the params of the mutation; arguments that name neither do not count. `remove` takes it out of
 * them. `move` takes it out of lists that it belonged to before its fields changed, and adds it to those that only
 * the change makes it belong to.
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
  /** What the list is made of. */
  readonly content: MembersSchema
  /** @internal */
  readonly isOwnView = true
  readonly #options: CollectionOptions

  /**
   * @param content - `[Todo]`, `new schema.Array(…)` or `new schema.Values(…)`
   * @throws {SelfsameError} `definition-invalid` for anything else
   */
  constructor(content: Content, options: CollectionOptions = {}) {
    this.content = toContent(content)
    this.#options = options
  }

  /** What a mutation answers, that adds a record at the end of its lists. */
  get push(): CollectionChange<Content> {
    return this.#change('push')
  }

  /** What a mutation answers, that adds a record at the beginning of its lists. */
  get unshift(): CollectionChange<Content> {
    return this.#change('unshift')
  }

  /** What a mutation answers, that sets entries of its maps: an object of keys and records. */
  get assign(): CollectionChange<Content, Denormalize<Content>> {
    return this.#change('assign')
  }

  /** What a mutation answers, that takes a record out of its lists; the record stays. */
  get remove(): CollectionChange<Content> {
    return this.#change('remove')
  }

  /** What a mutation answers, after which a record is in those lists that its fields now name, and in no others. */
  get move(): CollectionChange<Content> {
    return this.#change('move')
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const { args, isFilter } = this.#name(parent, key, delegate)
    const members = this.content.normalize(input, parent, key, delegate)
    return delegate.collection(this, args, isFilter, members)
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): Denormalize<Content> | undefined {
    // The content's own schema built it.
    return delegate.collection(this, input) as Denormalize<Content> | undefined
  }

  /** Found by the arguments that name it, loaded or not. */
  queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown {
    return delegate.listOf(this, this.argsOf(args))
  }

  /** What names the list of a call. */
  argsOf(args: readonly unknown[]): CollectionArgs {
    const { argsKey } = this.#options
    if (argsKey !== undefined) return argsKey(...args)
    const [params] = args
    return typeof params === 'object' && params !== null ? (params as CollectionArgs) : {}
  }

  /**
   * Whether a list is one that a record belongs to.
   *
   * @param args - what names the list
   * @param fields - the record
   * @param params - the params of the mutation, for arguments that the record does not name
   */
  belongs(args: CollectionArgs, fields: Fields, params: unknown): boolean {
    const given = (typeof params === 'object' && params !== null ? params : {}) as Fields
    return this.#filterNames(args).every((name) => {
      const value = fields[name] === undefined ? given[name] : fields[name]
      return value === undefined || stableStringify(value) === stableStringify(args[name])
    })
  }

  /** Whether any argument of a list names a field of the record, so that a change of the record can decide. */
  isDecidedBy(args: CollectionArgs, fields: Fields): boolean {
    return this.#filterNames(args).some((name) => fields[name] !== undefined)
  }

  #change<Value = MemberOf<Content>>(kind: CollectionChangeKind): CollectionChange<Content, Value> {
    return new CollectionChange(this, kind)
  }

  #name(
    parent: unknown,
    key: PayloadKey,
    delegate: NormalizeDelegate,
  ): { args: CollectionArgs; isFilter: boolean } {
    const { nestKey } = this.#options
    const { owner } = delegate
    if (owner === undefined) return { args: this.argsOf(delegate.args), isFilter: true }
    if (nestKey !== undefined) return { args: nestKey(parent, String(key)), isFilter: true }
    return { args: { [owner.key]: owner.pk, field: key }, isFilter: false }
  }

  #filterNames(args: CollectionArgs): string[] {
    return Object.keys(args).filter((name) => args[name] !== undefined && this.#filters(name))
  }

  #filters(name: string): boolean {
    if (neverFilters.has(name)) return false
    const { nonFilterArgumentKeys: others } = this.#options
    return typeof others === 'function' ? !others(name) : others === undefined || !others.includes(name)
  }
}

/**
 * What a mutation answers that changes lists of a Collection: a record, or a list of records.
 *
 * @see CollectionSchema
 */
export class CollectionChange<
  Content = readonly [Schema],
  Value = MemberOf<Content>,
> implements SchemaContract<Value> {
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

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input === null || input === undefined) return input
    const { content } = this.collection
    const result =
      this.kind === 'assign' || Array.isArray(input)
        ? content.normalize(input, parent, key, delegate)
        : delegate.visitAs(content.member, input, parent, key)
    delegate.changeCollections(this.collection, this.kind, result)
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

/** A polymorphic value is a pair of attribute and value; a list of records is none. */
function isPair(input: readonly unknown[]): boolean {
  return input.length === 2 && (input[0] === null || typeof input[0] === 'string')
}

function toContent(content: unknown): MembersSchema {
  if (content instanceof MembersSchema) return content
  const member: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined
  if (member !== undefined && !isContract(content)) return new ListSchema(member as Schema)
  throw errors.definitionInvalid(
    'schema.Collection was given neither a list nor a map.',
    'Write new schema.Collection([Todo]), or pass a schema.Array or schema.Values.',
  )
}
