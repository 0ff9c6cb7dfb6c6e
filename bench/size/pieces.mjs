/**
 * The measured code: lines that an application could contain. It uses their exports.
 *
 * @typedef {object} Piece
 * @property {string} name
 * @property {string} code
 * @property {readonly string[]} [external] - packages to leave out
 */

export const frameworks = ['react', 'react-dom', 'vue', 'svelte']

/** The code of the typical application. @param {string} binding @returns {string} */
export const typical = (binding) => `
  export { DataProvider, useSuspense } from '@selfsame/${binding}'
  export { createResource, RestEndpoint } from '@selfsame/core/rest'
  export { Entity } from '@selfsame/core'`

/** The code of an issue tracker: what a whole application of many screens uses. @param {string} binding @returns {string} */
export const tracker = (binding) => `
  export {
    AsyncBoundary, DataProvider, useCache, useController, useDLE, useDebounce, useFetch, useInfinite, useLive, useLoading, useQuery,
    useSuspense,
  } from '@selfsame/${binding}'
  export { createResource, RestEndpoint } from '@selfsame/core/rest'
  export { Entity, Query, schema } from '@selfsame/core'
  export { optimistic } from '@selfsame/core/optimistic'
  export { webSocket } from '@selfsame/core/live'
  export { pauseOffline, refetchOnFocus, refetchOnReconnect, retry } from '@selfsame/core/policies'
  export { fetchByXhr, getImage } from '@selfsame/core/media'`

/** @type {readonly Piece[]} */
export const pieces = [
  { name: 'core: all of it', code: `export * from '@selfsame/core'` },
  { name: 'core: Controller, Entity', code: `export { Controller, Entity } from '@selfsame/core'` },
  {
    name: 'core: Controller, Endpoint, Entity',
    code: `export { Controller, Endpoint, Entity } from '@selfsame/core'`,
  },
  { name: 'core: Entity', code: `export { Entity } from '@selfsame/core'` },
  { name: 'core: Endpoint', code: `export { Endpoint } from '@selfsame/core'` },
  { name: 'core: normalize, Entity', code: `export { normalize, Entity } from '@selfsame/core'` },
  { name: 'core/rest: all of it', code: `export * from '@selfsame/core/rest'` },
  { name: 'core/rest: RestEndpoint', code: `export { RestEndpoint } from '@selfsame/core/rest'` },
  { name: 'core/rest: createResource', code: `export { createResource } from '@selfsame/core/rest'` },
  { name: 'core/graphql: all of it', code: `export * from '@selfsame/core/graphql'` },
  { name: 'core/hydration: all of it', code: `export * from '@selfsame/core/hydration'` },
  { name: 'core/optimistic: all of it', code: `export * from '@selfsame/core/optimistic'` },
  { name: 'core/rules: all of it', code: `export * from '@selfsame/core/rules'` },
  { name: 'core/changes: all of it', code: `export * from '@selfsame/core/changes'` },
  { name: 'core/outbox: all of it', code: `export * from '@selfsame/core/outbox'` },
  { name: 'core/persist: all of it', code: `export * from '@selfsame/core/persist'` },
  { name: 'core/tabs: all of it', code: `export * from '@selfsame/core/tabs'` },
  { name: 'core/storage: all of it', code: `export * from '@selfsame/core/storage'` },
  { name: 'core/standard-schema: all of it', code: `export * from '@selfsame/core/standard-schema'` },
  { name: 'core/zod: all of it', code: `export * from '@selfsame/core/zod'` },
  { name: 'core/valibot: all of it', code: `export * from '@selfsame/core/valibot'` },
  { name: 'core/arktype: all of it', code: `export * from '@selfsame/core/arktype'` },
  { name: 'core/live: all of it', code: `export * from '@selfsame/core/live'` },
  { name: 'core/legacy: all of it', code: `export * from '@selfsame/core/legacy'` },
  { name: 'core/live: connect', code: `export { connect } from '@selfsame/core/live'` },
  {
    name: 'react/ssr: all of it, without core',
    code: `export * from '@selfsame/react/ssr'`,
    external: [...frameworks, '@selfsame/core'],
  },
  {
    name: 'vue/ssr: all of it, without core',
    code: `export * from '@selfsame/vue/ssr'`,
    external: ['vue', '@selfsame/core'],
  },
  {
    name: 'svelte/ssr: all of it, without core',
    code: `export * from '@selfsame/svelte/ssr'`,
    external: [...frameworks, '@selfsame/core'],
  },
  { name: 'core/media: all of it', code: `export * from '@selfsame/core/media'` },
  ...['react', 'vue', 'svelte'].flatMap((binding) => [
    {
      name: `${binding}: all of it, without core`,
      code: `export * from '@selfsame/${binding}'`,
      external: [...frameworks, '@selfsame/core'],
    },
    {
      name: `${binding}: DataProvider, useSuspense, without core`,
      code: `export { DataProvider, useSuspense } from '@selfsame/${binding}'`,
      external: [...frameworks, '@selfsame/core'],
    },
    {
      name: `${binding}/legacy: all of it, without core`,
      code: `export * from '@selfsame/${binding}/legacy'`,
      external: [...frameworks, '@selfsame/core'],
    },
    { name: `${binding}: the typical application`, code: typical(binding), external: frameworks },
    { name: `${binding}: a whole tracker`, code: tracker(binding), external: frameworks },
  ]),
]

/**
 * Further imports of an application, and their names in the documentation.
 *
 * @type {readonly { name: string, code: string }[]}
 */
export const furtherImports = [
  besides('`optimistic` of `@selfsame/core/optimistic`', 'optimistic', 'optimistic'),
  besides('`connect` of `@selfsame/core/live`: polling and streams', 'live', 'connect'),
  besides('`webSocket` of `@selfsame/core/live`', 'live', 'webSocket'),
  besides('`eventSource` of `@selfsame/core/live`', 'live', 'eventSource'),
  besides('`dehydrate` and `hydrate` of `@selfsame/core/hydration`', 'hydration', 'dehydrate, hydrate'),
  besides('`Resource` of `@selfsame/core/legacy`: the generations 4.5 and 5.1', 'legacy', 'Resource'),
  besides('`GQLEndpoint` of `@selfsame/core/graphql`', 'graphql', 'GQLEndpoint'),
  besides('`hookifyResource` of `@selfsame/core/rest`', 'rest', 'hookifyResource'),
  besides('`fetchByXhr` of `@selfsame/core/media`: progress of uploads', 'media', 'fetchByXhr'),
  besides(
    '`retry`, `refetchOnFocus` and `pauseOffline` of `@selfsame/core/policies`',
    'policies',
    'retry, refetchOnFocus, pauseOffline',
  ),
  besides('`rule` and `order` of `@selfsame/core/rules`', 'rules', 'rule, order'),
  besides('`from` of `@selfsame/core/maintained`', 'maintained', 'from'),
  besides('`outbox` of `@selfsame/core/outbox`', 'outbox', 'outbox'),
  besides('`persist` of `@selfsame/core/persist`', 'persist', 'persist'),
  besides('`syncTabs` of `@selfsame/core/tabs`', 'tabs', 'syncTabs'),
  {
    name: '`optimistic`, `rule`, `from`, `outbox`, `persist` and `syncTabs` together',
    code: `
      export { optimistic } from '@selfsame/core/optimistic'
      export { rule } from '@selfsame/core/rules'
      export { from } from '@selfsame/core/maintained'
      export { outbox } from '@selfsame/core/outbox'
      export { persist } from '@selfsame/core/persist'
      export { syncTabs } from '@selfsame/core/tabs'`,
  },
  { name: '`Query` of `@selfsame/core`', code: `export { Query } from '@selfsame/core'` },
  {
    name: '`schema`, of which `Union` is used',
    code: `import { schema } from '@selfsame/core'\nexport const union = (members, field) => new schema.Union(members, field)`,
  },
  {
    name: '`AsyncBoundary` of `@selfsame/react`',
    code: `export { AsyncBoundary } from '@selfsame/react'`,
  },
  {
    name: 'all other hooks of `@selfsame/react`, with what they use',
    code: `export * from '@selfsame/react'`,
  },
]

function besides(name, entry, names) {
  return { name, code: `export { ${names} } from '@selfsame/core/${entry}'` }
}

/** The size that a protocol adds to an application with a Controller and entities. @type {readonly { name: string, code: string }[]} */
export const additions = ['rest', 'graphql', 'media'].map((protocol) => ({
  name: `core/${protocol}: what it adds to Controller, Entity`,
  code: `export { Controller, Entity } from '@selfsame/core'\nexport * from '@selfsame/core/${protocol}'`,
}))

/**
 * The imports of other libraries for the same job.
 *
 * @type {readonly (Piece & { packages: string[] })[]}
 */
export const peers = [
  peer(
    'TanStack Query, React',
    ['@tanstack/react-query'],
    '{ QueryClient, QueryClientProvider, useSuspenseQuery, useMutation }',
  ),
  peer(
    'TanStack Query, Vue',
    ['@tanstack/vue-query'],
    '{ QueryClient, VueQueryPlugin, useQuery, useMutation }',
  ),
  peer(
    'TanStack Query, Svelte',
    ['@tanstack/svelte-query'],
    '{ QueryClient, QueryClientProvider, createQuery, createMutation }',
  ),
  {
    ...peer('Apollo Client, React', ['@apollo/client', 'graphql', 'rxjs']),
    code: `
      export { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client'
      export { ApolloProvider, useSuspenseQuery, useMutation } from '@apollo/client/react'`,
  },
  {
    ...peer('urql, React', ['urql']),
    code: `export { Client, Provider, fetchExchange, gql, cacheExchange, useQuery, useMutation } from 'urql'`,
  },
  {
    ...peer('urql with graphcache, React', ['urql', '@urql/exchange-graphcache']),
    code: `
      export { Client, Provider, fetchExchange, gql, useQuery, useMutation } from 'urql'
      export { cacheExchange } from '@urql/exchange-graphcache'`,
  },
  {
    ...peer('SWR, React', ['swr']),
    code: `
      export { default, SWRConfig } from 'swr'
      export { default as useSWRMutation } from 'swr/mutation'`,
  },
  {
    ...peer('RTK Query, React', ['@reduxjs/toolkit', 'react-redux']),
    code: `
      export { configureStore } from '@reduxjs/toolkit'
      export { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
      export { Provider } from 'react-redux'`,
  },
  {
    ...peer('Pinia Colada, Vue', ['@pinia/colada', 'pinia']),
    code: `
      export { createPinia } from 'pinia'
      export { PiniaColada, useQuery, useMutation } from '@pinia/colada'`,
  },
]

function peer(name, packages, imports) {
  return { name, packages, code: `export ${imports} from '${packages[0]}'`, external: frameworks }
}
