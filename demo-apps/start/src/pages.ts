import type { StartApplication } from '@selfsame/demo-shared/server'

/** A page of the demo, as listed on the front page. */
export interface DemoPage {
  readonly name: string
  /** The content of the page, in one sentence. */
  readonly summary: string
  /** The path that all its URLs start with. */
  readonly base: string
  /** Its folder in the repository. */
  readonly folder: string
  readonly load: () => Promise<{ readonly start: StartApplication }>
}

/** The same application in each framework. */
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

/** The page that `/` leads to. */
export const frontPage: DemoPage = {
  name: 'Side by side',
  summary: 'A React, a Vue and a Svelte pane share one cache: an edit in one shows in all.',
  base: '/side-by-side/',
  folder: 'demo-apps/side-by-side',
  load: () => import('@selfsame/demo-side-by-side/server'),
}

/** Pages that show one feature each. */
export const studies: readonly DemoPage[] = [
  frontPage,
  {
    name: 'Two libraries',
    summary: 'One screen, written with TanStack Query and with Selfsame. It counts requests and renders.',
    base: '/compare/',
    folder: 'demo-apps/compare',
    load: () => import('@selfsame/demo-compare/server'),
  },
  {
    name: '100,000 rows',
    summary: 'A table of 100,000 orders that change while you scroll. It counts frames and long tasks.',
    base: '/rows/',
    folder: 'demo-apps/rows',
    load: () => import('@selfsame/demo-rows/server'),
  },
]

/** All pages of `npm run demo`, the front page first. */
export const pages: readonly DemoPage[] = [...studies, ...journals]

function summaryOf(framework: string): string {
  return `The Tracker in ${framework}: issues on a board, live and offline, and a journal with uploads and GraphQL.`
}
