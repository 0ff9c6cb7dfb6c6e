import type { Controller, ReadEndpoint } from '@selfsame/core'

/** How a reader is added to a page that is mounted. */
export const ways = ['if', 'each', 'key', 'component', 'snippet', 'derived', 'effect'] as const

export interface PageProps {
  readonly endpoint: ReadEndpoint
  readonly way: (typeof ways)[number]
  /** Called by an effect of the page. */
  readonly onTick: (count: number) => void
}

export interface RootProps extends PageProps {
  readonly controller: Controller
  readonly keepPrevious?: boolean
}
