import type { EndpointOptions, Merged } from '../endpoint/endpoint.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { Schema } from '../schema/schema.js'
import type { HttpSteps } from '../endpoint/transport.js'
import type { DocumentPrinter, GQLDocument } from './document.js'

/** The options of a GraphQL endpoint. */
// The arguments are those of the endpoint's own calls.
// eslint-disable-next-line typescript/no-explicit-any
export interface GQLOptions extends EndpointOptions<any>, HttpSteps<GQLRequestBody> {
  /** The address of the server. */
  readonly url?: string | undefined
  /** The schema of the data, by the fields of the operation: `{ article: Article }`. @default none: the data is stored as it is */
  readonly schema?: Schema | undefined
  /**
   * How to treat a response with both data and errors. `reject`: the call fails, and nothing is stored. `keep`: the data is
   * used; the failed fields are `null`. A response without data, or with a status that is not 2xx, always fails.
   *
   * @default 'reject'
   */
  readonly partialData?: 'reject' | 'keep' | undefined
  /** Prints document nodes: `print` of `graphql`. @default a printer of operations and fragments */
  readonly print?: DocumentPrinter | undefined
  /** A value of the variables' type: `{} as { id: string }`. Only its type is used. @default the type that the document declares */
  readonly variables?: unknown
  /** A value of the data's type. Only its type is used, and only without a `schema`. @default the type that the document declares */
  readonly result?: unknown
  /** Returns the key of a call. @default its name, the address, the document without white space, and the variables in a stable order */
  // The arguments are those of the endpoint's own calls.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key?: ((...args: any) => string) | undefined
  /** Set by `query` and `mutation`. @internal */
  readonly document?: GQLDocument | undefined
  /** Set by `query` and `mutation`. @internal */
  readonly operation?: 'query' | 'mutation' | undefined
}

/** The body of a request. @see GraphQL over HTTP 5.1: request parameters */
export interface GQLRequestBody {
  readonly query: string
  readonly operationName?: string
  readonly variables?: unknown
}

/** The options of an endpoint after `query` or `mutation`. */
export type Declared<
  Options,
  Variables,
  Result,
  S extends Schema | undefined,
  SideEffect extends true | undefined,
> = {
  readonly [Name in Exclude<keyof Options, DeclaredName>]: Options[Name]
} & {
  readonly variables: Variables
  readonly result: Result
  readonly schema: S
  readonly sideEffect: SideEffect
}

type DeclaredName = 'variables' | 'result' | 'schema' | 'sideEffect' | 'name' | 'document' | 'operation'

/** The options of an endpoint after `extend`. */
export type ExtendedOptions<Options, More> = Merged<Options, More>

/** The arguments of a GraphQL endpoint. */
export type GQLArgs<Options> = Options extends { readonly variables: infer Variables }
  ? VariableArgs<Variables>
  : readonly [callQueryOrMutationFirst: never]

/** The result of a GraphQL endpoint. */
export type GQLValue<Options> = Options extends {
  readonly process: (...args: never) => infer Value
}
  ? Awaited<Value>
  : Options extends { readonly schema: infer S extends Schema }
    ? Denormalize<S>
    : Options extends { readonly result: infer Result }
      ? Result
      : unknown

/** Variables can be left out if none is required. */
type VariableArgs<Variables> = unknown extends Variables
  ? readonly [variables?: object]
  : undefined extends Variables
    ? readonly [variables?: Exclude<Variables, undefined>]
    : keyof Variables extends never
      ? readonly []
      : Record<never, never> extends Variables
        ? readonly [variables?: Variables]
        : readonly [variables: Variables]
