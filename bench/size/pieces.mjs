/**
 * What is measured: lines that an application could have. What they export is what it uses.
 *
 * @typedef {object} Piece
 * @property {string} name
 * @property {string} code
 * @property {readonly string[]} [external] - packages that are not counted
 */

const frameworks = ['react', 'react-dom', 'vue', 'svelte']

/** The typical application's. @param {string} binding @returns {string} */
const typical = (binding) => `
  export { DataProvider, useSuspense } from '@selfsame/${binding}'
  export { createResource, RestEndpoint } from '@selfsame/core/rest'
  export { Entity } from '@selfsame/core'`

/** @type {readonly Piece[]} */
export const pieces = [
  { name: 'core: all of it', code: `export * from '@selfsame/core'` },
  { name: 'core: Controller, Entity', code: `export { Controller, Entity } from '@selfsame/core'` },
  { name: 'core: Entity', code: `export { Entity } from '@selfsame/core'` },
  { name: 'core: Endpoint', code: `export { Endpoint } from '@selfsame/core'` },
  { name: 'core: normalize, Entity', code: `export { normalize, Entity } from '@selfsame/core'` },
  { name: 'core/rest: all of it', code: `export * from '@selfsame/core/rest'` },
  { name: 'core/rest: RestEndpoint', code: `export { RestEndpoint } from '@selfsame/core/rest'` },
  { name: 'core/rest: createResource', code: `export { createResource } from '@selfsame/core/rest'` },
  { name: 'core/graphql: all of it', code: `export * from '@selfsame/core/graphql'` },
  { name: 'core/hydration: all of it', code: `export * from '@selfsame/core/hydration'` },
  { name: 'core/optimistic: all of it', code: `export * from '@selfsame/core/optimistic'` },
  { name: 'core/live: all of it', code: `export * from '@selfsame/core/live'` },
  { name: 'core/live: connect', code: `export { connect } from '@selfsame/core/live'` },
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
    { name: `${binding}: the typical application`, code: typical(binding), external: frameworks },
  ]),
]

/** What a protocol adds to an application that has a Controller and entities anyway. @type {readonly { name: string, code: string }[]} */
export const additions = ['rest', 'graphql', 'media'].map((protocol) => ({
  name: `core/${protocol}: what it adds to Controller, Entity`,
  code: `export { Controller, Entity } from '@selfsame/core'\nexport * from '@selfsame/core/${protocol}'`,
}))

/**
 * What users of other libraries import for the same job.
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
