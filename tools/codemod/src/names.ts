/** The generations that the codemod can move. */
export const transforms = ['current', '5.1', '4.5'] as const
export type Transform = (typeof transforms)[number]

/** The new package and name of an import. */
export interface Target {
  readonly source: string
  readonly name: string
}

/** True for a package whose imports the codemod moves. */
export const isOld = (source: string): boolean =>
  /^(rest-hooks|@rest-hooks\/[\w-]+|@data-client\/[\w-]+)(\/|$)/.test(source)

/** True for a `/legacy` entry of Selfsame: code that an earlier run left unchanged imports from it. */
export const isLegacy = (source: string): boolean => /^@selfsame\/\w+\/legacy$/.test(source)

/** True for a package of Selfsame. */
export const isOurs = (source: string): boolean => source.startsWith('@selfsame/')

const tables: Readonly<Record<string, readonly string[]>> = {
  binding: [
    'AsyncBoundary',
    'DataProvider',
    'useCache',
    'useCancelling',
    'useController',
    'useDebounce',
    'useDLE',
    'useFetch',
    'useLive',
    'useLoading',
    'useQuery',
    'useSubscription',
    'useSuspense',
  ],
  'binding/legacy': ['useError', 'useFetcher', 'useInvalidator', 'useResetter', 'useResource', 'useRetrieve'],
  '@selfsame/core': [
    'Controller',
    'Denormalize',
    'DenormalizeNullable',
    'Endpoint',
    'Entity',
    'EntityMixin',
    'ExpiryStatus',
    'Normalize',
    'Query',
    'Queryable',
    'ReadEndpoint',
    'Schema',
    'SchemaArgs',
    'denormalize',
    'normalize',
    'schema',
  ],
  '@selfsame/core/rest': [
    'EndpointExtraOptions',
    'NetworkError',
    'ResourceOptions',
    'RestEndpoint',
    'createResource',
    'hookifyResource',
    'resource',
  ],
  '@selfsame/core/media': ['getImage'],
  '@selfsame/core/graphql': ['GQLEndpoint', 'GQLEntity', 'GQLNetworkError'],
  '@selfsame/core/legacy': ['DeleteShape', 'FetchShape', 'MutateShape', 'ReadShape', 'Resource'],
}

/** Names that changed. */
const renamed: Readonly<Record<string, Target>> = {
  CacheProvider: { source: 'binding', name: 'DataProvider' },
  DataClientPlugin: { source: 'binding', name: 'dataPlugin' },
  FetchOptions: { source: '@selfsame/core/rest', name: 'EndpointExtraOptions' },
  EndpointInstance: { source: '@selfsame/core', name: 'EndpointLike' },
  EndpointInterface: { source: '@selfsame/core', name: 'EndpointLike' },
  PathArgs: { source: '@selfsame/core/rest', name: 'PathParams' },
  ProviderProps: { source: 'binding', name: 'DataProviderProps' },
  RestGenerics: { source: '@selfsame/core/rest', name: 'RestOptions' },
  ShortenPath: { source: '@selfsame/core/rest', name: 'ListPath' },
}

/** The types of the members of `schema`. */
export const schemaTypes: Readonly<Record<string, string>> = {
  All: 'AllSchema',
  Collection: 'CollectionSchema',
  Delete: 'DeleteSchema',
  Invalidate: 'DeleteSchema',
  Lazy: 'LazySchema',
  Union: 'UnionSchema',
  Values: 'ValuesSchema',
}

/** Names that were exports of their own and are now members of `schema`. */
export const schemaMembers: ReadonlySet<string> = new Set([
  'All',
  'Collection',
  'Delete',
  'Invalidate',
  'Lazy',
  'Union',
  'Values',
])

/** Remedies for names without a counterpart. */
const advice: Readonly<Record<string, string>> = {
  ErrorBoundary: 'AsyncBoundary shows errors by its errorFallback',
  NetworkErrorBoundary: 'AsyncBoundary shows errors by its errorFallback',
  Manager: 'a middleware does what a manager did (docs/middleware.md)',
  Middleware: 'a middleware has another form (docs/middleware.md)',
  LogoutManager: 'call controller.resetAll() in a middleware or a transport (docs/rest.md)',
  PollingSubscription: 'pollFrequency with useSubscription polls without it',
  MockResolver: 'createMockController answers calls in tests (docs/testing.md)',
  MockProvider: 'createMockController answers calls in tests (docs/testing.md)',
  renderDataHook: 'renderDataHook of the binding has other options (docs/testing.md)',
  makeRenderDataHook: 'use renderDataHook (docs/testing.md)',
  makeRenderRestHook: 'use renderDataHook (docs/testing.md)',
  makeCacheProvider: 'createMockController answers calls in tests (docs/testing.md)',
  makeExternalCacheProvider: 'createMockController answers calls in tests (docs/testing.md)',
  getDefaultManagers:
    'a Controller does without managers: remove it, and pass middleware to the Controller (docs/middleware.md)',
  actionTypes: 'a middleware has the hooks before, after and request (docs/middleware.md)',
  ActionTypes: 'a middleware has the hooks before, after and request (docs/middleware.md)',
  DevToolsManager: 'the panel and inspect show what happens (docs/devtools.md)',
  NetworkManager: 'the Controller sends requests itself: see its options (docs/reference)',
  SubscriptionManager: 'the Controller polls by itself: see pollFrequency',
  mockInitialState: 'createMockController takes fixtures (docs/testing.md)',
  BackupBoundary: 'React has Suspense, and AsyncBoundary takes a fallback',
  ExternalDataProvider: 'the Controller keeps its state itself: render DataProvider',
  GetEndpoint:
    'name the type of the endpoint itself: typeof todoResource.get, or RestEndpoint<{ path: …; schema: … }>',
  MutateEndpoint:
    'name the type of the endpoint itself: typeof todoResource.update, or RestEndpoint<{ path: …; method: …; body: … }>',
  ResourceGenerics:
    'a factory of resources has type parameters for path and schema (docs/migrating/from-data-client.md, A factory of resources)',
  Index:
    'name the field in static indexes, and read useQuery(User, { email }) in the place of useCache(index, { email })',
  SchemaDetail: 'a shape has the type of its schema: remove the annotation',
  SchemaList: 'a shape has the type of its schema: remove the annotation',
  Method: 'write string, or the methods themselves',
  schemas: 'write [Todo] and { todo: Todo } as they are; Union, Values and others are members of schema',
  push: 'the lists of a Collection change by getList.push',
  unshift: 'the lists of a Collection change by getList.unshift',
  validateRequired:
    'static validate takes a schema of zod, valibot or arktype, or a function (docs/data-model.md)',
  useMeta: 'useStatus says what a screen shows beside the data',
  useDenormalized: 'useQuery reads a schema from the cache',
  useSelectionUnstable: 'useQuery reads a schema from the cache',
}

/**
 * Finds the new package and name of an export of an old package; `undefined` if it has no counterpart.
 *
 * @param binding - the package of the hooks
 */
export function targetOf(source: string, name: string, binding: string): Target | undefined {
  const old = renamed[name]
  if (old !== undefined) return inBinding(binding, old)
  if (schemaMembers.has(name)) return { source: '@selfsame/core', name: 'schema' }
  if (/\/(test|ssr|redux|next)$/.test(source)) return undefined
  const found = Object.entries(tables).find(([, names]) => names.includes(name))
  return found && inBinding(binding, { source: found[0], name })
}

function inBinding(binding: string, { source, name }: Target): Target {
  return { source: source.replace('binding', binding), name }
}

/** Returns the reason why an import is left unchanged. */
export function whyUnknown(source: string, name: string): string {
  const hint = advice[name]
  return `${name} of ${source} has no counterpart of that name: ${hint ?? 'remove it, or write what it did (docs/migrating has the names that took the place of others)'}`
}
