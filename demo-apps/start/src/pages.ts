import type { StartApplication } from '@selfsame/demo-shared/server'

/** A page of the demo, as the front page shows it. */
export interface DemoPage {
  readonly name: string
  /** What there is to see, in a sentence. */
  readonly summary: string
  /** The path below which all of it is. */
  readonly base: string
  /** Its folder in the repository. */
  readonly folder: string
  readonly load: () => Promise<{ readonly start: StartApplication }>
}

/** One application, once for each framework. */
export const journals: readonly DemoPage[] = [
  {
    name: 'React',
    summary: summaryOf('React'),
    base: '/react/',
    folder: 'demo-apps/react',
    load: () => import('@selfsame/demo-react/server'),
  },
  {
    name: 'Vue',
    summary: summaryOf('Vue'),
    base: '/vue/',
    folder: 'demo-apps/vue',
    load: () => import('@selfsame/demo-vue/server'),
  },
  {
    name: 'Svelte',
    summary: summaryOf('Svelte'),
    base: '/svelte/',
    folder: 'demo-apps/svelte',
    load: () => import('@selfsame/demo-svelte/server'),
  },
]

/** What shows one thing only. */
export const studies: readonly DemoPage[] = [
  {
    name: 'Side by side',
    summary: 'A React, a Vue and a Svelte pane over one Controller: an edit in one is in all.',
    base: '/side-by-side/',
    folder: 'demo-apps/side-by-side',
    load: () => import('@selfsame/demo-side-by-side/server'),
  },
  {
    name: 'Two libraries',
    summary: 'One screen with TanStack Query and with Selfsame: requests, renders and lines, counted.',
    base: '/compare/',
    folder: 'demo-apps/compare',
    load: () => import('@selfsame/demo-compare/server'),
  },
]

/** Whatever `npm run demo` serves. */
export const pages: readonly DemoPage[] = [...journals, ...studies]

function summaryOf(framework: string): string {
  return `The Journal in ${framework}: articles, a feed, birthdays, pictures, sign-in and uploads.`
}
