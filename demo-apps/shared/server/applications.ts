import type { StartApplication } from './application.js'

/** The applications that there are, for the front page and for tests. */
export const applications: readonly {
  readonly name: string
  /** Where `npm run demo` mounts it. */
  readonly base: string
  /** Its folder in the repository. */
  readonly folder: string
  readonly load: () => Promise<{ readonly start: StartApplication }>
}[] = [
  {
    name: 'React',
    base: '/react/',
    folder: 'demo-apps/react',
    load: () => import('../../react/server.js'),
  },
  {
    name: 'Vue',
    base: '/vue/',
    folder: 'demo-apps/vue',
    load: () => import('../../vue/server.js'),
  },
  {
    name: 'Svelte',
    base: '/svelte/',
    folder: 'demo-apps/svelte',
    load: () => import('../../svelte/server.js'),
  },
]
