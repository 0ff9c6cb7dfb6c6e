import type { Runnable } from '../run.js'

/** Loads a module of the site itself: edited code gets the same instances as the page. */
type Load = () => Promise<object>

// Each has a list of names. With all that a package exports, each page would carry it: a module that a page and the editor share is
// loaded with the page.
const core: Readonly<Record<string, Load>> = {
  '@selfsame/core': () => import('./modules/core.js'),
  '@selfsame/core/rest': () => import('./modules/rest.js'),
  '@selfsame/core/optimistic': () => import('./modules/optimistic.js'),
  '@selfsame/core/testing': () => import('./modules/testing.js'),
}

/** What a sample can import. */
export const known: Readonly<Record<Runnable, Readonly<Record<string, Load>>>> = {
  react: {
    ...core,
    '@selfsame/react': () => import('./modules/selfsame-react.js'),
    react: () => import('react'),
  },
  vue: {
    ...core,
    '@selfsame/vue': () => import('./modules/selfsame-vue.js'),
    vue: () => import('./modules/vue.js'),
  },
  svelte: {
    ...core,
    '@selfsame/svelte': () => import('./modules/selfsame-svelte.js'),
    svelte: () => import('./modules/svelte.js'),
  },
}

/** What compilers import by themselves. */
export const compiled: Readonly<Record<Runnable, Readonly<Record<string, Load>>>> = {
  react: { 'react/jsx-runtime': () => import('react/jsx-runtime') },
  vue: {},
  svelte: {
    'svelte/internal/client': () => import('./modules/svelte-client.js'),
    'svelte/internal/disclose-version': () => Promise.resolve({}),
  },
}
