import type { EndpointOptions } from '../endpoint/endpoint.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { Schema } from '../schema/schema.js'
import type { HasRequiredParams, PathParams } from './path-types.js'
import type { SearchValue } from './search-params.js'

/** What every REST endpoint may say about itself, besides what every endpoint may. */
export interface RestOptions extends Omit<EndpointOptions, 'key' | 'schema'> {
  /** The path pattern: `:name` is a parameter, `{…}` an optional part. */
  readonly path: string
  readonly schema?: Schema | undefined
  /** Stands before the path: a base address, or the protocol-relative form `//host`. @default '' */
  readonly urlPrefix?: string | undefined
  /** The HTTP method. A method other than GET and HEAD is a side effect, unless `sideEffect` says otherwise. @default 'GET' */
  readonly method?: string | undefined
  /**
   * Names the search params, with types and defaults: `{ page: '' }`. A default of `''` or `undefined` is not sent.
   *
   * @default any param that is not in the path is sent
   */
  readonly searchParams?: object | undefined
  /**
   * A value of the body's type: `{} as Partial<Todo>`. Only its type is used, and whether it is `undefined`: then
   * a call has no body.
   *
   * @default any body for POST, PUT and PATCH
   */
  readonly body?: unknown
  /** Writes the search params as text, without `?`. */
  readonly searchToString?: ((params: Readonly<Record<string, unknown>>) => string) | undefined
  /** Names a call. @default method and full address */
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key?: ((...args: any) => string) | undefined
  readonly url?: ((...args: readonly unknown[]) => string) | undefined
  readonly getHeaders?:
    ((headers: Readonly<Record<string, string>>) => HeadersInit | Promise<HeadersInit>) | undefined
  readonly getRequestInit?: ((body: unknown) => RequestInit | Promise<RequestInit>) | undefined
  readonly fetchResponse?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  readonly parseResponse?: ((response: Response) => Promise<unknown>) | undefined
  /** Changes the parsed answer. `args` are the arguments of the call. */
  // The value is whatever the server sent; naming its type is the user's to do.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly process?: ((value: any, ...args: any) => unknown) | undefined
}

/** The options of an endpoint after `extend`. */
export type Extended<Options extends RestOptions, More extends Partial<RestOptions>> = {
  readonly [Name in keyof Options | keyof More]: Name extends keyof More
    ? More[Name]
    : Name extends keyof Options
      ? Options[Name]
      : never
} & { readonly path: More extends { readonly path: infer Path extends string } ? Path : Options['path'] }

/** What a call of a REST endpoint takes. */
export type RestArgs<Options> =
  BodyOf<Options> extends infer Body
    ? [Body] extends [NoBody]
      ? ParamArgs<Options>
      : HasRequiredParams<PathOf<Options>> extends true
        ? readonly [params: ParamsOf<Options>, ...body: BodyArg<Body>]
        : // Not readonly: of a union of readonly tuples nothing can be inferred, and `Parameters` would be never.
          [...body: BodyArg<Body>] | [params: ParamsBeforeBody<Options>, ...body: BodyArg<Body>]
    : never

/** What a call of a REST endpoint gives. */
export type RestValue<Options> = Options extends {
  // eslint-disable-next-line typescript/no-explicit-any
  readonly process: (...args: any) => infer Value
}
  ? Awaited<Value>
  : Options extends { readonly schema: infer S extends Schema }
    ? Denormalize<S>
    : unknown

/** Whether the endpoint changes data on the server. */
export type RestSideEffect<Options> = Options extends { readonly sideEffect: infer Said }
  ? Said
  : MethodOf<Options> extends 'GET' | 'HEAD'
    ? undefined
    : string extends MethodOf<Options>
      ? true | undefined
      : true

/** Params of the path, and those that are sent as search params. */
type ParamsOf<Options> = PathParams<PathOf<Options>> & SearchOf<Options>

type SearchOf<Options> = Options extends { readonly searchParams: infer Search extends object }
  ? { readonly [Name in keyof Search]?: Widened<Exclude<Search[Name], undefined>> | undefined }
  : unknown

/** A default stands for its type: `'date'` for any text, `''` for numbers as well. Several literals are a choice. */
type Widened<Value> =
  IsUnion<Value> extends true
    ? Value
    : Value extends string
      ? Value extends ''
        ? string | number
        : string
      : Value extends number
        ? number
        : Value extends boolean
          ? boolean
          : Value

type IsUnion<Value, Whole = Value> = [Value] extends [never]
  ? false
  : Value extends unknown
    ? [Whole] extends [Value]
      ? false
      : true
    : never

/** Params may be left out where none is required. */
type ParamArgs<Options> =
  HasRequiredParams<PathOf<Options>> extends true
    ? readonly [params: ParamsOf<Options>]
    : keyof ParamsOf<Options> extends never
      ? readonly []
      : readonly [params?: ParamsOf<Options>]

/** Without any the params of a call are empty; the type `{}` would let a number stand for them. */
type ParamsBeforeBody<Options> = keyof ParamsOf<Options> extends never
  ? { readonly [name: string]: never }
  : ParamsOf<Options>

interface NoBody {
  readonly noBody: never
}

type BodyOf<Options> = Options extends { readonly body: infer Body }
  ? [Body] extends [undefined]
    ? NoBody
    : Body
  : string extends MethodOf<Options>
    ? AnyBody | undefined
    : MethodOf<Options> extends 'POST' | 'PUT' | 'PATCH'
      ? AnyBody | undefined
      : NoBody

/** Anything that `encodeBody` takes. */
export type AnyBody = object | string

type BodyArg<Body> = undefined extends Body ? [body?: Body] : [body: Body]

type PathOf<Options> = Options extends { readonly path: infer Path extends string } ? Path : string
type MethodOf<Options> = Options extends { readonly method: infer Method extends string } ? Method : 'GET'

/** Any search params, for a list that does not name its own. */
export type AnySearchParams = { readonly [name: string]: SearchValue }
