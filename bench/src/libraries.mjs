/**
 * The compared libraries, in the order of the tables. Only the process that measures a library loads its adapter.
 *
 * @typedef {object} Library
 * @property {string} id
 * @property {string} name
 * @property {string[]} packages - the installed packages, whose versions are shown
 * @property {string} use - how the library's documentation does this job, for readers of the results
 * @property {'records' | 'answers'} keeps - records: each record once, from any response; answers: each response by itself
 * @property {boolean} [isQuick] - true if a quick run includes it
 * @property {() => Promise<{ adapter: import('./adapters/adapter.mjs').Adapter }>} load
 */

/** @type {readonly Library[]} */
export const libraries = [
  {
    id: 'selfsame',
    name: 'Selfsame',
    keeps: 'records',
    packages: ['@selfsame/core'],
    use: "`Endpoint`s whose schemas are a Collection of entities, or an entity; `controller.fetch`, `read`, `subscribe`; a `Query`. The answers are the store's to keep (`ownsPayload`), as those are that a `RestEndpoint` parsed. Built for production.",
    isQuick: true,
    load: () => import('./adapters/selfsame.mjs'),
  },
  {
    id: 'floor',
    name: 'hand-written',
    keeps: 'records',
    packages: [],
    use: 'A store written for these issues alone: three Maps, objects linked to objects. It knows all field names, has no requests, no expiry, no errors and no collection. What a library can hardly get below.',
    isQuick: true,
    load: () => import('./adapters/floor.mjs'),
  },
  {
    id: 'normalizr',
    name: 'normalizr',
    keeps: 'records',
    packages: ['normalizr'],
    use: "`normalize` into entity tables that are merged as in a reducer, `denormalize` memoized by the tables, as a selector is. It has no store; the listeners are those of a reducer's store.",
    isQuick: true,
    load: () => import('./adapters/normalizr.mjs'),
  },
  {
    id: 'tanstack-query',
    name: 'TanStack Query',
    keeps: 'answers',
    packages: ['@tanstack/query-core'],
    use: '`fetchQuery`, `QueryObserver`s, `setQueryData` from the answer of a mutation, in the list and in the detail, `select` for what is derived. Told in a microtask (`notifyManager.setScheduler(queueMicrotask)`) instead of a timer.',
    isQuick: true,
    load: () => import('./adapters/tanstack-query.mjs'),
  },
  {
    id: 'tanstack-query-normy',
    name: 'TanStack Query + normy',
    keeps: 'records',
    packages: ['@tanstack/query-core', '@normy/query-core'],
    use: 'As TanStack Query; what a mutation answered is given to `setNormalizedData`, which finds the queries that show it.',
    load: () => import('./adapters/tanstack-query-normy.mjs'),
  },
  {
    id: 'apollo',
    name: 'Apollo InMemoryCache',
    keeps: 'records',
    packages: ['@apollo/client', 'graphql'],
    use: '`writeQuery`, `readQuery`, `cache.watch` for the list, `watchFragment` for one record. Records carry `__typename`.',
    load: () => import('./adapters/apollo.mjs'),
  },
  {
    id: 'graphcache',
    name: 'urql graphcache',
    keeps: 'records',
    packages: ['@urql/core', '@urql/exchange-graphcache', 'graphql'],
    use: 'A client with the `cacheExchange` and an exchange that answers from the text; queries, a mutation, `readQuery` and subscribed queries. Records carry `__typename`.',
    load: () => import('./adapters/graphcache.mjs'),
  },
  {
    id: 'rtk-query',
    name: 'RTK Query',
    keeps: 'answers',
    packages: ['@reduxjs/toolkit'],
    use: '`createApi` with `queryFn`; `initiate`, `updateQueryData` from the answer of a mutation, `createSelector` for what is derived. Redux tells every subscriber of every change; each selects its own. `autoBatch` in a microtask.',
    isQuick: true,
    load: () => import('./adapters/rtk-query.mjs'),
  },
  {
    id: 'rtk-entities',
    name: 'RTK Query + entity adapter',
    keeps: 'answers',
    packages: ['@reduxjs/toolkit'],
    use: 'As RTK Query; `transformResponse` puts the list into a `createEntityAdapter`, whose memoized selectors read it.',
    load: () => import('./adapters/rtk-entities.mjs'),
  },
  {
    id: 'swr',
    name: 'SWR',
    keeps: 'answers',
    packages: ['swr', 'react'],
    use: 'The `cache` and `mutate` that `useSWRConfig` gives under a cache provider; `mutate` with `revalidate: false`; the cache is read by key. What its hooks do needs React, and is not measured here.',
    load: () => import('./adapters/swr.mjs'),
  },
  {
    id: 'pinia-colada',
    name: 'Pinia Colada',
    keeps: 'answers',
    packages: ['@pinia/colada', 'pinia', 'vue'],
    use: '`queryCache.ensure` and `fetch`, `setQueryData` from the answer of a mutation, in the list and in the detail; `computed` for what is derived; readers are watchers that run at once.',
    load: () => import('./adapters/pinia-colada.mjs'),
  },
  {
    id: 'tanstack-db',
    name: 'TanStack DB',
    keeps: 'answers',
    packages: ['@tanstack/db', '@tanstack/query-db-collection', '@tanstack/query-core'],
    use: 'A collection by `queryCollectionOptions`; `utils.writeUpdate` from the answer of a mutation; `subscribeChanges` with `where`; a live query with `where` and `orderBy` for what is derived.',
    load: () => import('./adapters/tanstack-db.mjs'),
  },
]
