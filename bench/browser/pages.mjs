import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The compared pages, in the order of the tables.
 *
 * @typedef {object} Page
 * @property {'react' | 'vue' | 'svelte'} framework
 * @property {string} library - an id
 * @property {string} name
 * @property {string} file - in `src/libraries`
 * @property {string[]} packages - the packages that it needs besides Selfsame and the framework, installed in this folder
 * @property {boolean} isQuick - true if a quick run includes it
 * @property {string} use - how it is used here, for a reader of the results
 */

const floor =
  'A store written for these issues alone: a cell for each issue, which its row reads, and the lists of ids that views read.'
const floorList =
  "The same with one immutable array, which the view reads; rows get their issues as props. What is left of the difference is the framework's."
const selfsame = 'Views read lists (`useSuspense`, a `Query` by `useCache`); rows get their issues as props.'
const selfsameRows =
  'Views read the ids (a `Query`, by `useCache`); each row reads its own issue (`useCache`).'
const tanstack =
  '`useQuery` for the list, with `select` for what is derived; `setQueryData` from answers, in the list and in the detail; rows get props.'

/** Selfsame, the hand-written stores, and the one peer that supports all frameworks. */
const inQuickRun = new Set(['floor', 'floor-list', 'selfsame', 'selfsame-rows', 'tanstack-query'])

/** @type {readonly Page[]} */
export const pages = [
  ...['react', 'vue', 'svelte'].flatMap((framework) => [
    page(framework, 'floor', 'hand-written', floor, [], 'js'),
    page(
      framework,
      'floor-list',
      'hand-written, list',
      floorList,
      [],
      framework === 'svelte' ? 'svelte.js' : 'js',
    ),
    page(framework, 'selfsame', 'Selfsame', selfsame, [], framework === 'react' ? 'jsx' : 'js'),
    page(
      framework,
      'selfsame-rows',
      'Selfsame, rows read',
      selfsameRows,
      [],
      framework === 'react' ? 'jsx' : 'js',
    ),
    page(
      framework,
      'tanstack-query',
      'TanStack Query',
      tanstack,
      [`@tanstack/${framework}-query`],
      framework === 'react' ? 'jsx' : 'js',
    ),
  ]),
  page(
    'react',
    'apollo',
    'Apollo Client',
    '`useQuery` for the list, `useFragment` for the detail; answers by `writeFragment`, parts of a record by `modify`; rows get props. Answers name types.',
    ['@apollo/client', 'graphql', 'rxjs'],
    'jsx',
  ),
  page(
    'react',
    'swr',
    'SWR',
    '`useSWR` for the list, `useMemo` for what is derived; answers by `mutate` with `revalidate: false`; rows get props.',
    ['swr'],
    'jsx',
  ),
  page(
    'react',
    'rtk-query',
    'RTK Query',
    'Hooks of `createApi`, `selectFromResult` for what is derived and for the detail; answers by `updateQueryData`; rows get props.',
    ['@reduxjs/toolkit', 'react-redux'],
    'jsx',
  ),
  page(
    'vue',
    'pinia-colada',
    'Pinia Colada',
    '`useQuery` for the list, `computed` for what is derived and for the detail; answers by `setQueryData`; rows get props.',
    ['@pinia/colada', 'pinia'],
    'js',
  ),
]

/** @param {Page} page @returns {string[]} the packages that it lacks */
export function missingPackages({ packages }) {
  return packages.filter(
    (name) => !existsSync(fileURLToPath(new URL(`node_modules/${name}`, import.meta.url))),
  )
}

function page(framework, library, name, use, packages, extension) {
  const file = `${framework}-${library}.${extension}`
  return { framework, library, name, file, packages, isQuick: inQuickRun.has(library), use }
}
