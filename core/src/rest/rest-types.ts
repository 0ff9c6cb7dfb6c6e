import type { EndpointOptions, OptimisticResponse, StreamSink, Updates } from '../endpoint/endpoint.js'
import type { CollectionChange, CollectionSchema, MemberOf } from '../schema/collection.js'
import type { CollectionChangeKind } from '../schema/delegates.js'
import type { Denormalize } from '../schema/denormalized.js'
import type { FieldsOf } from '../schema/entity.js'
import type { Content } from '../endpoint/response.js'
import type { PageSchema } from '../schema/page.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import type { TransportInit } from '../endpoint/transport.js'
import type { ProgressListener } from '../util/progress.js'
import type { HasRequiredParams, PathParams, PathValue } from './path-types.js'
import type { SearchValue } from './search-params.js'

/** What every REST endpoint may say about itself, besides what every endpoint may. */
export interface RestOptions extends Omit<
  EndpointOptions,
  'key' | 'schema' | 'update' | 'getOptimisticResponse' | 'stream'
> {
  /** What a mutation changes in the data of other calls, by their keys. @see EndpointOptions.update */
  // eslint-disable-next-line typescript/no-explicit-any
  readonly update?: ((value: any, ...args: any) => Updates) | undefined
  /** What a mutation is expected to be answered with, shown until it is. @see EndpointOptions.getOptimisticResponse */
  // The arguments are those of the endpoint's own calls.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly getOptimisticResponse?: OptimisticResponse<any> | undefined
  /** Opens what keeps a call fresh. @see EndpointOptions.stream */
  // eslint-disable-next-line typescript/no-explicit-any
  readonly stream?: ((sink: StreamSink, ...args: any) => () => void) | undefined
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
   * A value of the body's type: `{} as Partial<Todo>`, or a sample such as `{ name: '' }`. Only its type is used, and whether
   * it is `undefined`: then a call has no body.
   *
   * @default any body for POST, PUT and PATCH
   */
  readonly body?: unknown
  /**
   * The param that names a page of the list: `cursor`. Gives the endpoint a `getPage`, whose responses are appended to
   * the list of the call without that param.
   *
   * @default none: an endpoint of its own has no `getPage`; `getList` of a resource has `cursor`
   */
  readonly paginationField?: string | undefined
  /**
   * Which list of the schema `getPage` appends to, where it has several: the name of its field, or the names that
   * lead to it.
   *
   * @default the first
   */
  readonly paginatedList?: string | readonly string[] | undefined
  /**
   * Whether each page that was appended to the list is asked for again, one after the other, when the list is fetched
   * anew. Readers see all of them at once. For lists whose pages have numbers; where a page is named by the last record
   * before it, members that come and go between two requests can be missed.
   *
   * @default false: only the first page is asked for, and what stood behind it stays
   */
  readonly refetchPages?: boolean | undefined
  /**
   * The path of one record of the list, to which `move` and `remove` are sent.
   *
   * @default the path of the list, and `/:id`; of a resource its own path
   */
  readonly memberPath?: string | undefined
  /**
   * How the body of a response is read. A response without a body (204, 205, HEAD) is always `null`. A stream can be
   * read once: fetch it, and do not let components read it.
   *
   * @default by its content type: JSON is parsed; other text is text, where there is no schema
   */
  readonly content?: Content | undefined
  /** Writes the search params as text, without `?`. */
  readonly searchToString?: ((params: Readonly<Record<string, unknown>>) => string) | undefined
  /** Returns the key of a call. @default method and full address */
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key?: ((...args: any) => string) | undefined
  readonly url?: ((...args: readonly unknown[]) => string) | undefined
  readonly getHeaders?:
    ((headers: Readonly<Record<string, string>>) => HeadersInit | Promise<HeadersInit>) | undefined
  readonly getRequestInit?: ((body: unknown) => RequestInit | Promise<RequestInit>) | undefined
  readonly fetchResponse?:
    ((url: string, init: TransportInit, onProgress?: ProgressListener) => Promise<Response>) | undefined
  readonly parseResponse?: ((response: Response) => Promise<unknown>) | undefined
  /** Changes the parsed response. `args` are the arguments of the call. */
  // The value is whatever the server sent; the user names its type.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly process?: ((value: any, ...args: any) => unknown) | undefined
}

/** What the mutations of a resource are expected to be answered with. */
export interface OptimisticMembers {
  readonly create: Expectation
  readonly update: Expectation
  readonly partialUpdate: Expectation
  readonly delete: Expectation
}

type Expectation = Pick<RestOptions, 'getOptimisticResponse'>

/** The options of an endpoint after `extend`. */
export type Extended<Options extends RestOptions, More extends Partial<RestOptions>> = {
  readonly [Name in keyof Options | keyof More]: Name extends keyof More
    ? More[Name]
    : Name extends keyof Options
      ? Options[Name]
      : never
} & { readonly path: More extends { readonly path: infer Path extends string } ? Path : Options['path'] }

/** The options of an endpoint that gets pages of a list, and what it is called with. */
export type PageOf<Options extends RestOptions, Args extends readonly unknown[]> = {
  readonly [Name in keyof Options | 'schema' | 'paginationField' | 'pageArgs']: Name extends 'schema'
    ? PageSchema<Options extends { readonly schema: infer S extends Schema } ? S : never>
    : Name extends 'pageArgs'
      ? Args
      : Name extends 'paginationField'
        ? undefined
        : Name extends keyof Options
          ? Options[Name]
          : never
} & { readonly path: Options['path'] }

/**
 * The body of a record: its fields, none of them required. A record in a field may be given by its primary key, a
 * date as text.
 */
export type RecordBody<S> = Denormalize<S> extends infer Data extends object ? BodyFields<Data> : never

type BodyFields<Data> = {
  readonly [Field in keyof FieldsOf<Data>]?: BodyValue<FieldsOf<Data>[Field]> | undefined
}

type BodyValue<Value> = Value extends { pk(...args: never): unknown }
  ? PathValue | BodyFields<Value>
  : Value extends Date
    ? Date | string
    : Value extends readonly (infer Item)[]
      ? readonly BodyValue<Item>[]
      : Value

/** What the Collections in a schema are made of. */
type ContentIn<S> =
  S extends CollectionSchema<infer Members>
    ? Members
    : S extends
          | SchemaContract
          | readonly unknown[]
          | ((...args: never) => unknown)
          | (abstract new (...args: never) => unknown)
      ? never
      : S extends object
        ? { [Name in keyof S]: ContentIn<S[Name]> }[keyof S]
        : never

/** The options of an endpoint that changes the list of another; `undefined` where that has no Collection. */
export type ListChangeOf<Options extends RestOptions, Kind extends CollectionChangeKind> = [
  ContentIn<SchemaIn<Options>>,
] extends [never]
  ? undefined
  : ContentIn<SchemaIn<Options>> extends infer Members
    ? Kind extends 'move' | 'remove'
      ? ListChange<MemberPathOf<Options>, 'PATCH', CollectionChange<Members>, BodyFields<MemberOf<Members>>>
      : Kind extends 'assign'
        ? ListChange<
            Options['path'],
            'POST',
            CollectionChange<Members, Denormalize<Members>>,
            { readonly [key: string]: BodyFields<MemberOf<Members>> }
          >
        : ListChange<Options['path'], 'POST', CollectionChange<Members>, BodyFields<MemberOf<Members>>>
    : never

interface ListChange<Path extends string, Method extends string, S extends Schema, Body> {
  readonly path: Path
  readonly method: Method
  readonly schema: S
  readonly body: Body
  readonly sideEffect: true
}

type SchemaIn<Options> = Options extends { readonly schema: infer S } ? S : never

type MemberPathOf<Options extends RestOptions> = Options extends {
  readonly memberPath: infer Path extends string
}
  ? Path
  : `${Options['path']}/:id`

/** What `getPage` is called with: what the list is called with, and the param that names the page. */
export type PageArgs<Options, Field extends string> = readonly [
  params: ParamsOf<Options> & { readonly [Name in Field]: PathValue },
]

/** What a call of a REST endpoint takes. */
export type RestArgs<Options> = Options extends { readonly pageArgs: infer Args extends readonly unknown[] }
  ? Args
  : BodyOf<Options> extends infer Body
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
    : Options extends { readonly content: infer Kind extends Content }
      ? ContentValues[Kind]
      : unknown

/** What each way to read a body gives. */
interface ContentValues {
  json: unknown
  text: string
  blob: Blob
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array>
}

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
    : Sample<Body>
  : string extends MethodOf<Options>
    ? AnyBody | undefined
    : MethodOf<Options> extends 'POST' | 'PUT' | 'PATCH'
      ? AnyBody | undefined
      : NoBody

/**
 * What a body may be of which a sample was written down: `{ name: '' }` stands for any text. A sample is known by its
 * members, all of which are inferred as readonly; a type that was named (`{} as Partial<Todo>`) is taken as it is.
 */
type Sample<Body> =
  IsUnion<Body> extends true
    ? Body
    : Body extends readonly unknown[]
      ? Body
      : Body extends object
        ? IsReadonly<Body> extends true
          ? { readonly [Name in keyof Body]: SampleField<Body[Name]> }
          : Body
        : Body

type SampleField<Value> =
  IsUnion<Value> extends true
    ? Value
    : Value extends string
      ? string
      : Value extends number
        ? number
        : Value extends boolean
          ? boolean
          : Value extends readonly []
            ? readonly unknown[]
            : Value extends readonly (infer Item)[]
              ? readonly SampleField<Item>[]
              : Sample<Value>

/** Whether there are members, and all of them are readonly. */
type IsReadonly<Body> = keyof Body extends never
  ? false
  : (<T>() => T extends { [Name in keyof Body]: Body[Name] } ? 1 : 2) extends <T>() => T extends {
        readonly [Name in keyof Body]: Body[Name]
      }
        ? 1
        : 2
    ? true
    : false

/** Anything that `encodeBody` takes. */
export type AnyBody = object | string

type BodyArg<Body> = undefined extends Body ? [body?: Body] : [body: Body]

type PathOf<Options> = Options extends { readonly path: infer Path extends string } ? Path : string
type MethodOf<Options> = Options extends { readonly method: infer Method extends string } ? Method : 'GET'

/** Any search params, for a list that does not name its own. */
export type AnySearchParams = { readonly [name: string]: SearchValue }
