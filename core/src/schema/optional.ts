import { copyPlain } from '../util/plain.js'
import { contractOf } from './contract-of.js'
import type { OptionalData, OptionalDefault } from './denormalized.js'
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

/**
 * A field that a response may leave out. Without it, an object schema refuses a response that lacks a record, a list, a map
 * or a Union that the schema names.
 *
 * @see specification 3, Unusable responses
 */
export class OptionalSchema<
  const S extends Schema = Schema,
  const Default extends OptionalDefault = undefined,
> implements SchemaContract<OptionalData<S, Default>> {
  /** Only a response tells whether the server sends the field. @internal */
  readonly needsAnswer = true
  /** The schema of the value, if it is there. */
  declare readonly optional: S
  /** The value that a read returns if the field is missing. */
  declare readonly default: Default

  constructor(schema: S, missing?: Default) {
    this.optional = schema
    this.default = missing as Default
  }

  /** @internal */
  get isReplacing(): boolean {
    return contractOf(this.optional).isReplacing === true
  }

  /** @internal */
  get parts(): unknown {
    return [this.optional, this.default]
  }

  normalize(input: unknown, parent: unknown, key: PayloadKey, delegate: NormalizeDelegate): unknown {
    if (input !== undefined) return delegate.visitAs(this.optional, input, parent, key)
    // A list that is left out is an empty one, so that mutations can change it.
    const isContent = delegate.isStrict && typeof this.default === 'object' && this.default !== null
    return isContent ? delegate.visitAs(this.optional, copyPlain(this.default), parent, key) : undefined
  }

  denormalize(input: unknown, delegate: DenormalizeDelegate): OptionalData<S, Default> | undefined {
    const value = input === undefined ? undefined : delegate.resolve(this.optional, input)
    return (value === undefined ? this.default : value) as OptionalData<S, Default> | undefined
  }

  queryKey(args: readonly unknown[], delegate: QueryDelegate): unknown {
    return delegate.lookUp(this.optional, args)
  }

  /** @internal */
  withHome(home: ListHome, depth: number): unknown {
    return this.over(withHome(this.optional, home, depth) as Schema)
  }

  /** Returns the same for another schema. @internal */
  over(schema: Schema): OptionalSchema<Schema, Default> {
    return schema === this.optional ? this : new OptionalSchema(schema, this.default)
  }
}

interface MakeOptional {
  /**
   * Says that a response may leave out a field of an object schema: GraphQL's `@include` and `@skip`, servers that leave out
   * empty lists.
   *
   * @param schema - the schema of the field
   * @param missing - the value that a read returns in its place; `[]` or `{}` has the type of the schema's data
   *   @default undefined
   * @see specification 3, Unusable responses
   * @example { article: Article, related: schema.Optional([Article], []), draft: schema.Optional(Article) }
   */
  <const S extends Schema, const Default extends OptionalDefault = undefined>(
    schema: S,
    missing?: Default,
  ): OptionalSchema<NoInfer<S>, NoInfer<Default>>
  new <const S extends Schema, const Default extends OptionalDefault = undefined>(
    schema: S,
    missing?: Default,
  ): OptionalSchema<NoInfer<S>, NoInfer<Default>>
  readonly prototype: OptionalSchema
}

/** Creates an `OptionalSchema`, with or without `new`. */
export const Optional = function (schema: Schema, missing?: OptionalDefault) {
  return new OptionalSchema(schema, missing)
} as unknown as MakeOptional
