import type { EndpointOptions, Merged } from '../endpoint/endpoint.js'
import type { CollectionChange, CollectionSchema, MemberOf } from '../schema/collection.js'
import type { CollectionChangeKind } from '../schema/delegates.js'
import type { Denormalize, Widen } from '../schema/denormalized.js'
import type { Content } from '../endpoint/response.js'
import type { ObjectSchema } from '../schema/object.js'
import type { PageSchema } from '../schema/page-schema.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import type { HttpSteps } from '../endpoint/transport.js'
import type { Flat, PathParams, PathValue } from './path-types.js'
import type { SearchValue } from './search-params.js'

/** The options of a REST endpoint. */
// The arguments are those of the endpoint's own calls.
// eslint-disable-next-line typescript/no-explicit-any
export interface RestOptions extends EndpointOptions<any>, HttpSteps<unknown> {
  /** The path pattern: `:name` is a param, `{…}` an optional part. */
  readonly path: string
  /** The beginning of the address, before the path: a base address, or the protocol-relative form `//host`. @default '' */
  readonly urlPrefix?: string | undefined
  /**
   * The HTTP method. A method other than GET and HEAD is a mutation, unless `sideEffect` is `false`.
   *
   * @default 'POST' with `sideEffect: true` or a `body`, `undefined` included; else 'GET'
   */
  readonly method?: string | undefined
  /**
   * The search params, with types and defaults: `{ page: '' }`. A default of `''` or `undefined` is not sent.
   *
   * @default every param that is not in the path is sent
   */
  readonly searchParams?: object | undefined
  /**
   * The type of the body, as a value: `{} as Partial<Todo>`, or a sample such as `{ name: '' }`. `undefined`: a call has no
   * body. The value itself is not used.
   *
   * @default any body for POST, PUT and PATCH
   */
  readonly body?: unknown
  /**
   * The param that names a page of the list, for example `cursor`. The endpoint then has `getPage`, whose responses are
   * appended to the list.
   *
   * @default none, so that there is no `getPage`; for `getList` of a resource `cursor`
   */
  readonly paginationField?: string | undefined
  /**
   * The list to which `getPage` appends, if the schema has several: its field, or the path of fields to it.
   *
   * @default the first list
   */
  readonly paginatedList?: string | readonly string[] | undefined
  /**
   * `true` requests all loaded pages again, in sequence, when the list is fetched again. Readers see the result after the
   * last page. Use it for numbered pages. With cursors, members that are added or removed between two requests can be missed.
   *
   * @default only the first page is requested, and the members after it stay; if it has lost a member, and the pages have numbers, all of
   *   them are requested once. `false`: never
   */
  readonly refetchPages?: boolean | undefined
  /**
   * The path of one record of the list, for the requests of `move` and `remove`.
   *
   * @default the path of the list with `/:id`; for a resource its own path
   */
  readonly memberPath?: string | undefined
  /**
   * How to read the body of a response. A response without a body (204, 205, HEAD) is always `null`. A stream can be read
   * only once, so fetch it with `controller.fetch` and not in components.
   *
   * @default by its content type: JSON is parsed; without a schema, other text is text
   */
  readonly content?: Content | undefined
  /** What `push`, `unshift`, `move` and `remove` expect of the server; set by a resource with `optimistic`. @internal */
  readonly expected?: OptimisticMembers | undefined
  /** The endpoint of the list, for one of its pages: the `this` of `parseResponse`, which may look at the `schema`. @internal */
  readonly parsedBy?: object | undefined
  /** Sends the request of a call, in place of the steps below. @default `fetchResponse`, `parseResponse` and `process` */
  // The arguments are those of the endpoint's own calls.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly fetch?: ((...args: any) => Promise<unknown>) | undefined
  /** Writes the search params as text, without `?`. */
  readonly searchToString?: ((params: Readonly<Record<string, unknown>>) => string) | undefined
  /** Returns the key of a call. @default method and full address */
  // The arguments are those of the endpoint's own calls.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly key?: ((...args: any) => string) | undefined
  // The arguments are those of the endpoint's own calls.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly url?: ((...args: any) => string) | undefined
}

/** The expected responses of the mutations of a resource. */
export interface OptimisticMembers {
  readonly create: ExpectedOptions
  readonly update: ExpectedOptions
  readonly partialUpdate: ExpectedOptions
  readonly delete: ExpectedOptions
}

type ExpectedOptions = Pick<RestOptions, 'getOptimisticResponse'>

/** The options of an endpoint after `extend`. */
export type Extended<Options extends RestOptions, More extends Partial<RestOptions>> = Merged<
  Options,
  More
> & { readonly path: More extends { readonly path: infer Path extends string } ? Path : Options['path'] }

/** The options of an endpoint that gets pages of a list, and its arguments. */
export type PageOf<Options extends RestOptions, Args extends readonly unknown[]> = Merged<
  Options,
  { schema: PageSchema<SchemaOfOptions<Options>>; paginationField: undefined; pageArgs: Args }
> & { readonly path: Options['path'] }

/**
 * The body of a record: its fields, none of them required. A record in a field may be given by its primary key, a
 * date as text. The body of a Union is that of any of its classes.
 */
export type RecordBody<S> = Denormalize<S> extends infer Data extends object ? EachBody<Data> : never

// Written out, so that an editor shows the fields; those of a record in a field have the name of their type.
type EachBody<Data> = Data extends unknown
  ? { readonly [Field in keyof Data as BodyName<Data, Field>]?: BodyValue<Data[Field]> | undefined }
  : never

type BodyFields<Data> = {
  readonly [Field in keyof Data as BodyName<Data, Field>]?: BodyValue<Data[Field]> | undefined
}

/** A method is no field. */
type BodyName<Data, Name extends keyof Data> = Data[Name] extends (...args: never) => unknown ? never : Name

type BodyValue<Value> = Value extends { pk(...args: never): unknown }
  ? PathValue | BodyFields<Value>
  : Value extends Date
    ? Date | string
    : Value extends readonly (infer Item)[]
      ? readonly BodyValue<Item>[]
      : Value

/** The content of the Collections in a schema. */
type ContentIn<S> =
  S extends CollectionSchema<infer Members>
    ? Members
    : S extends ObjectSchema<infer Definition>
      ? ContentIn<Definition>
      : S extends { readonly schema: infer Inner extends Schema; process(...args: never): unknown }
        ? ContentIn<Inner>
        : S extends
              | SchemaContract
              | readonly unknown[]
              | ((...args: never) => unknown)
              | (abstract new (...args: never) => unknown)
          ? never
          : S extends object
            ? { [Name in keyof S]: ContentIn<S[Name]> }[keyof S]
            : never

/** The options of an endpoint that changes the list of another endpoint; `undefined` if that has no Collection. */
export type ListChangeOf<Options extends RestOptions, Kind extends CollectionChangeKind> = [
  ContentIn<SchemaOfOptions<Options>>,
] extends [never]
  ? undefined
  : ContentIn<SchemaOfOptions<Options>> extends infer Members
    ? Kind extends 'move' | 'remove'
      ? ListMutation<MemberPathOf<Options>, 'PATCH', CollectionChange<Members>, MemberBody<Options, Members>>
      : Kind extends 'assign'
        ? ListMutation<
            Options['path'],
            'POST',
            CollectionChange<Members, Denormalize<Members>>,
            { readonly [key: string]: MemberBody<Options, Members> }
          >
        : ListMutation<
            Options['path'],
            'POST',
            CollectionChange<Members>,
            MemberBody<Options, Members>,
            ListSearchOf<Options>
          >
    : never

/** The body of a member. Where `extend` gave the list of a resource rows with fewer fields, that of a whole record, too. */
type MemberBody<Options, Members> = Options extends { readonly memberSchema: infer S }
  ? Denormalize<S> extends MemberOf<Members>
    ? RecordBody<S>
    : BodyFields<MemberOf<Members>> | RecordBody<S>
  : BodyFields<MemberOf<Members>>

interface ListMutation<
  Path extends string,
  Method extends string,
  S extends Schema,
  Body,
  Search extends object | undefined = undefined,
> {
  readonly path: Path
  readonly method: Method
  readonly schema: S
  readonly body: Body
  readonly searchParams: Search
  readonly sideEffect: true
}

/** A member may be added to the list of some params. */
type ListSearchOf<Options> = Options extends { readonly searchParams: infer Search extends object }
  ? Search
  : undefined

export type SchemaOfOptions<Options> = Options extends { readonly schema: infer S extends Schema } ? S : never

type MemberPathOf<Options extends RestOptions> = Options extends {
  readonly memberPath: infer Path extends string
}
  ? Path
  : `${Options['path']}/:id`

/** The arguments of `getPage`: those of the list, and the param that names the page. */
export type PageArgs<Options, Field extends string> = readonly [
  params: ParamsOf<Options> & { readonly [Name in Field]: PathValue },
]

/** The arguments of a REST endpoint. */
export type RestArgs<Options> = Options extends { readonly pageArgs: infer Args extends readonly unknown[] }
  ? Args
  : CallArgs<PathParams<PathOf<Options>>, SearchOf<Options>, BodyOf<Options>>

/**
 * What decides the arguments, so that the compiler computes them once for the endpoints of all resources with the same params. Not
 * readonly: the compiler infers nothing from a union of readonly tuples, and `Parameters` would be never; one of them costs it more.
 */
type CallArgs<OfPath, Search, Body> = [Body] extends [NoBody]
  ? ParamArgs<OfPath, Flat<OfPath & Search>>
  : NeedsParams<OfPath> extends true
    ? [params: Flat<OfPath & Search>, ...body: BodyArg<Body>]
    : [...body: BodyArg<Body>] | [params: ParamsBeforeBody<Flat<OfPath & Search>>, ...body: BodyArg<Body>]

/** `true` if a call has to name params; with paths of several forms, if one of them has. */
type NeedsParams<OfPath> = [OfPath extends unknown ? ({} extends OfPath ? never : OfPath) : never] extends [
  never,
]
  ? false
  : true

/** The result of a REST endpoint. */
export type RestValue<Options> = Options extends {
  readonly process: (...args: never) => infer Value
}
  ? Awaited<Value>
  : Options extends { readonly schema: infer S extends Schema }
    ? Denormalize<S>
    : Options extends { readonly content: infer Kind extends Content }
      ? ContentValues[Kind]
      : unknown

/** The result of each way to read a body. */
interface ContentValues {
  json: unknown
  text: string
  blob: Blob
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array>
}

/** `true` if the endpoint changes data on the server. */
export type RestSideEffect<Options> = Options extends { readonly sideEffect: infer Said }
  ? Said
  : MethodOf<Options> extends 'GET' | 'HEAD'
    ? undefined
    : string extends MethodOf<Options>
      ? true | undefined
      : true

/** The params of the path and the search params. */
export type ParamsOf<Options> = Flat<PathParams<PathOf<Options>> & SearchOf<Options>>

/** `undefined` beside an object means what the object does: no search param is required. */
type SearchOf<Options> = Options extends { readonly searchParams: (infer Search extends object) | undefined }
  ? { readonly [Name in keyof Search]?: Widened<Exclude<Search[Name], undefined>> | undefined }
  : unknown

/** The type of a default: `string` for `'date'`, `string | number` for `''`. A union of literals stays. */
type Widened<Value> = IsUnion<Value> extends true ? Value : Value extends '' ? string | number : Widen<Value>

type IsUnion<Value, Whole = Value> = [Value] extends [never]
  ? false
  : Value extends unknown
    ? [Whole] extends [Value]
      ? false
      : true
    : never

/** Params can be left out if none is required. */
type ParamArgs<OfPath, Params> =
  NeedsParams<OfPath> extends true ? [params: Params] : keyof Params extends never ? [] : [params?: Params]

/** Without params an empty object. The type `{}` would accept a number. */
type ParamsBeforeBody<Params> = keyof Params extends never ? { readonly [name: string]: never } : Params

interface NoBody {
  readonly noBody: never
}

type BodyOf<Options> = Options extends { readonly body: infer Body }
  ? [Body] extends [undefined]
    ? NoBody
    : MethodOf<Options> extends 'GET' | 'HEAD'
      ? GetHasNoBody
      : Sample<Body>
  : string extends MethodOf<Options>
    ? AnyBody | undefined
    : MethodOf<Options> extends 'POST' | 'PUT' | 'PATCH'
      ? AnyBody | undefined
      : NoBody

/** Refuses a call of an endpoint whose options have both a `body` and the method GET: development refuses the endpoint. */
interface GetHasNoBody {
  readonly getHasNoBody: never
}

/**
 * The type of a body, from a sample: in `{ name: '' }` the name is any text. The members of a sample are inferred as
 * readonly; a named type (`{} as Partial<Todo>`) is not changed.
 */
type Sample<Body> =
  IsUnion<Body> extends true
    ? Body
    : Body extends readonly unknown[]
      ? Body
      : Body extends object
        ? {} extends Body
          ? Body
          : IsReadonly<Body> extends true
            ? { readonly [Name in keyof Body]: SampleField<Body[Name]> }
            : Body
        : Body

type SampleField<Value> =
  IsUnion<Value> extends true
    ? Value
    : Value extends readonly []
      ? readonly unknown[]
      : Value extends readonly (infer Item)[]
        ? readonly SampleField<Item>[]
        : Sample<Widen<Value>>

/** `true` if there are members, and all of them are readonly. */
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
export type MethodOf<Options> = Options extends { readonly method: infer Method extends string }
  ? Method
  : Options extends { readonly sideEffect: true } | { readonly body: unknown }
    ? 'POST'
    : 'GET'

/** Any search params, for a list that does not name its own. */
export type AnySearchParams = { readonly [name: string]: SearchValue }
