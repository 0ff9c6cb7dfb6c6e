import type { Denormalize } from './denormalized.js'
import type {
  DenormalizeDelegate,
  NormalizeDelegate,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
} from './schema.js'

/** The type of a lazy relation: the primary keys of its records. */
export type KeysOf<S> = S extends readonly unknown[]
  ? string[]
  : S extends { readonly prototype: object }
    ? string
    : unknown

/**
 * A relation that a read does not resolve: it returns the primary keys, and does not depend on the related records. Read its
 * `query` to resolve it. It cuts cycles: a change to one record of a cycle does not re-create the others.
 *
 * @see specification 3 (G2)
 * @example
 * class User extends Entity {
 *   friends: string[] = []
 *   static override schema = { friends: new schema.Lazy(() => [User]) }
 * }
 * const friends = useCache(User.schema.friends.query, user.friends)
 */
export class LazySchema<S extends Schema = Schema> implements SchemaContract<KeysOf<S>> {
  readonly isRequired = true
  readonly #schema: () => S
  #query: LazyQuery<S> | undefined

  /** @param schema - a function that returns the schema, so that classes may refer to each other */
  constructor(schema: () => S) {
    this.#schema = schema
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    return delegate.visitAs(this.#schema(), input, parent, key)
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): KeysOf<S> {
    return delegate.keys(input) as KeysOf<S>
  }

  /** Resolves the relation from the primary keys of its field. Readable like a `Query`. */
  get query(): LazyQuery<S> {
    return (this.#query ??= new LazyQuery(this.#schema))
  }
}

/** Resolves a lazy relation. @see LazySchema.query */
export class LazyQuery<S extends Schema = Schema> implements SchemaContract<Denormalize<S>> {
  readonly #schema: () => S

  constructor(schema: () => S) {
    this.#schema = schema
  }

  /** The relation. */
  get schema(): S {
    return this.#schema()
  }

  key(keys: KeysOf<S> | undefined): string {
    return `Lazy ${JSON.stringify(keys)}`
  }

  normalize(input: unknown): unknown {
    return input
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): Denormalize<S> | undefined {
    return delegate.resolve(this.#schema(), input) as Denormalize<S> | undefined
  }

  queryKey([keys]: readonly unknown[], delegate: QueryDelegate): unknown {
    return keys === undefined || keys === null ? undefined : delegate.refer(this.#schema(), keys)
  }
}
