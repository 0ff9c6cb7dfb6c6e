import * as schema from './lists/namespace.js'

// Schemas: the shape of the data.
export { Entity } from './schema/entity.js'
export type { EntityConstructor, FieldsOf } from './schema/entity.js'
export type { StandardIssue, StandardValidator, StandardVerdict, Validator } from './schema/validator.js'
export { EntityMixin } from './schema/entity-mixin.js'
export type { EntityMixinOptions, MixedEntity, MixinPk } from './schema/entity-mixin.js'
// Not `export * as`, which the Babel preset of React Native does not compile.
export { schema }
// The classes of the namespace by their own names, so that types inferred from them can be written down.
export type { AllSchema } from './schema/all.js'
export type { ArraySchema } from './schema/array.js'
export type { CollectionChange, CollectionOptions, CollectionSchema } from './schema/collection.js'
export { Counted } from './lists/counted.js'
export type { CollectionArgs } from './schema/delegates.js'
export type { DeleteSchema } from './schema/delete.js'
export type { LazyQuery, LazySchema } from './schema/lazy.js'
export type { ObjectSchema } from './schema/object.js'
export type { PageSchema } from './schema/page-schema.js'
export type { UnionSchema } from './schema/polymorphic.js'
export type { ValuesSchema } from './schema/values.js'
export type { KeysOf } from './schema/lazy.js'
export type { SchemaAttribute, SchemaMapping } from './schema/polymorphic.js'
export { Query } from './schema/query.js'
export type { QueryArgs, SchemaArgs } from './schema/query.js'
export type { NoEndpoint, Queryable, QueryableOnly } from './schema/query-of.js'
export type {
  DenormalizeDelegate,
  EntityClass,
  EntityFields,
  Literal,
  NormalizeDelegate,
  ObjectShorthand,
  PayloadKey,
  QueryDelegate,
  Schema,
  SchemaContract,
  Serializer,
} from './schema/schema.js'
export type { Denormalize, DenormalizeNullable } from './schema/denormalized.js'
export type { Normalize } from './schema/normalized.js'
export type { EntityTables, Fields } from './schema/fields.js'

// Normalization and denormalization without a Controller.
export { normalize } from './normalize/normalize.js'
export type { Normalized } from './normalize/normalize.js'
export { denormalize } from './denormalize/denormalize.js'

// Endpoints: descriptions of calls.
export { Endpoint } from './endpoint/endpoint.js'
export { debounced } from './endpoint/debounced.js'
export type { DebounceOptions, Derivable } from './endpoint/debounced.js'
export type {
  ArgsOf,
  CacheSnapshot,
  CacheableEndpoint,
  CallContext,
  DataForArgs,
  DataOf,
  EndpointLike,
  EndpointOptions,
  FetchContext,
  FetchFunction,
  KeyTester,
  NamedCall,
  GivenArgs,
  KnownArgs,
  NullableArgs,
  PolicySwitches,
  PromiseForArgs,
  ReadEndpoint,
  StreamSink,
  Updates,
} from './endpoint/endpoint.js'

// The Controller: the cache, and the operations on it.
export { Controller } from './controller/controller.js'
export type {
  ControllerOptions,
  FetchValue,
  KeyArgsOf,
  Middleware,
  PartialFields,
  ReadResult,
  SetValue,
} from './controller/controller.js'
export type { Action, MiddlewareHooks, RequestCall } from './controller/middleware.js'
export type { TaggedPromise } from './util/settleable.js'
export type { ExpiryPolicy } from './schema/expiry-policy.js'
export type { ExpiryStatus } from './store/expiry.js'
export type { Clock } from './util/clock.js'
export type { Transport, TransportInit } from './endpoint/transport.js'
export type { Progress, ProgressListener } from './util/progress.js'

// The options and results of hooks and composables.
export type { CallState, Snapshot } from './observer/observer.js'
export type { CallStatus } from './observer/call-status.js'
export { withOptions } from './observer/with-options.js'
export type { ReaderOptions } from './observer/reader-options.js'
export type { Asked } from './observer/asked.js'
export type { MutationState, RequestFilter } from './observer/activity.js'
export type { RunState } from './observer/latest-run.js'
export type { Prefetching } from './observer/prefetch.js'
export type { ReadCall, ReadCalls } from './observer/observer-group.js'
export type { CheckedCalls, DataOfCalls, StateOfCalls, StateOfData } from './observer/read-calls.js'
export type { PagesOptions, PagesState } from './observer/pages-observer.js'
export type { PagesOptionsOf, PagesParams } from './observer/pages-types.js'

export { SelfsameError } from './errors.js'
export type { ErrorCode } from './errors.js'
