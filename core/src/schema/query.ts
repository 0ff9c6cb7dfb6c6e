import { development } from '#development'
import type { AllSchema } from './all.js'
import { contractOf } from './contract-of.js'
import type { FieldsOf } from './entity.js'
import { textOfArguments } from './argument-text.js'
import type { StoreDenormalizeDelegate } from './delegates.js'
import type { Denormalize } from './denormalized.js'
import { queryableContract } from './queryable.js'
import { getOrMake } from '../util/get-or-make.js'
import { withHome } from './home.js'
import type {
  DenormalizeDelegate,
  ListHome,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'

/** The arguments by which a schema finds data in the cache, without a request. */
export type SchemaArgs<S> = S extends { key(...args: infer Args): string; readonly schema: Schema }
  ? Args
  : S extends { readonly prototype: infer E extends { pk(...args: never): unknown } }
    ? readonly [named: string | number | EntityArgs<E>]
    : S extends AllSchema<never, never>
      ? readonly [] | readonly [params: object]
      : readonly [params?: object]

/** Fields that identify a record. A number and its text are equal. */
export type EntityArgs<E> = {
  readonly [Name in keyof FieldsOf<E>]?: FieldsOf<E>[Name] extends string | number | undefined
    ? string | number
    : FieldsOf<E>[Name]
} & {}

/** The arguments of a Query: those that `process` takes after the entries; without any, those of its schema. */
export type QueryArgs<S, Args extends readonly unknown[]> = Args extends readonly []
  ? SchemaArgs<S>
  : number extends Args['length']
    ? SchemaArgs<S>
    : Args

let queriesMade = 0

/**
 * A value computed from the cache, such as a filter, a sort, a count or a join. It is memoized until the data that it used
 * changes. It sends no requests: read it by `useCache`, `useQuery`, `controller.get` and `controller.subscribe`. As the
 * schema of an endpoint it is fetched: its own schema normalizes the response, and `process` computes the data.
 *
 * @see specification 2.1
 * @example
 * const openTodos = new Query(new schema.All(Todo), (todos, { userId }: { userId: number }) =>
 *   todos.filter((todo) => !todo.completed && todo.userId === userId))
 * controller.get(openTodos, { userId: 1 })
 */
export class Query<
  const S extends Schema = Schema,
  // Not `[]`: from unknown arguments the compiler infers those of `(entries, { asc } = { asc: false })` by their default.
  Args extends readonly unknown[] = readonly unknown[],
  Value = Denormalize<S>,
> implements SchemaContract<Value> {
  /** The schema of the data that it reads. */
  readonly schema: S
  /** Computes the value. Without a function in the constructor, the value is the data of the schema. */
  readonly process: (entries: Denormalize<S>, ...args: Args) => Value
  #name = `Query ${++queriesMade}`
  /** Queries with its key for other endpoints, by endpoint and path in its response. */
  readonly #others = new Map<string, Query<S, Args, Value>>()

  /**
   * @param schema - All, a Collection, an Entity, a Union, or another Query
   * @param process - receives the data of the schema and the Query's arguments; not called without data
   */
  constructor(schema: S, process?: (entries: Denormalize<S>, ...args: Args) => Value) {
    this.schema = schema
    // Without `process`, the type `Value` is the data of the schema.
    this.process = process ?? ((entries: Denormalize<S>, ..._args: Args) => entries as unknown as Value)
  }

  /** Returns the key of a value: equal keys share one memoized value. */
  key(...args: QueryArgs<S, Args>): string {
    if (development) queryableContract(this.schema)
    return `${this.#name} ${textOfArguments(this.#name, args)}`
  }

  /** @internal */
  get keyBasis(): unknown {
    return this.key === Query.prototype.key ? true : undefined
  }

  /** @internal */
  get needsAnswer(): boolean {
    return contractOf(this.schema).needsAnswer === true
  }

  get isRequired(): boolean {
    return contractOf(this.schema).isRequired === true
  }

  /** @internal */
  get inner(): Schema {
    return this.schema
  }

  /** @internal */
  get parts(): unknown {
    return [this.schema, this.process]
  }

  /** As the schema of an endpoint: the response has the form of its own schema. */
  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    return delegate.visitAs(this.schema, input, parent, key)
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): Value | undefined {
    const entries = delegate.complete(this.schema, input) as Denormalize<S> | undefined
    if (entries === undefined) return undefined
    ;(delegate as StoreDenormalizeDelegate).noteProcessed?.()
    return this.process(entries, ...(delegate.args as unknown as Args))
  }

  /** @internal */
  over(schema: Schema): Query<S, Args, Value> {
    const Class = this.constructor as typeof Query<S, Args, Value>
    // The schema has the same data as that of this Query.
    const other = new Class(schema as S, this.process)
    other.#name = this.#name
    return other
  }

  /**
   * Binds the Collections of its schema to the endpoint. Returns the Query itself, or one with its key, always the same for
   * the same endpoint.
   *
   * @internal
   */
  withHome(home: ListHome, depth: number): Query<S, Args, Value> {
    const bound = withHome(this.schema, home, depth) as S
    if (bound === this.schema) return this
    return getOrMake(this.#others, `${home.id} ${home.place}`, () => this.over(bound))
  }

  queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown {
    return delegate.lookUp(this.schema, args)
  }
}
