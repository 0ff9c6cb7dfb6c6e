import { applications, type StartApplication } from '@selfsame/demo-shared/server'

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
export const journals: readonly DemoPage[] = applications.map(({ name, base, folder, load }) => {
  const summary = `The Journal in ${name}: articles, a feed, birthdays, pictures, sign-in and uploads.`
  return { name, summary, base, folder, load }
})

/** What shows one thing only. */
export const studies: readonly DemoPage[] = [
  {
    name: 'Side by side',
    summary: 'A React, a Vue and a Svelte pane over one Controller: an edit in one is in all.',
    base: '/side-by-side/',
    folder: 'demo-apps/side-by-side',
    load: () => import('../../side-by-side/server.js'),
  },
  {
    name: 'Two libraries',
    summary: 'One screen with TanStack Query and with Selfsame: requests, renders and lines, counted.',
    base: '/compare/',
    folder: 'demo-apps/compare',
    load: () => import('../../compare/server.js'),
  },
]

/** Whatever `npm run demo` serves. */
export const pages: readonly DemoPage[] = [...journals, ...studies]
