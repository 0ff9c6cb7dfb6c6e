import type { PageSchema, PageSide, ReceivedPage } from '../schema/page-schema.js'
import type { Call } from '../store/call.js'
import type { Pages } from '../store/list-node.js'
import type { withFirstPage, withPage } from './pages.js'

/** What puts the pages of one side into a list. */
export interface GrowingSide extends PageSide {
  /** Returns a list with the members of a page. */
  readonly withPage: typeof withPage
  /**
   * Returns the state of a list with a page.
   *
   * @param pages - its state before
   * @param grown - its state, if the page were behind it
   * @param told - the members that the page brought
   * @param call - the call of the list, without the page
   */
  grow(pages: Pages, grown: Pages, told: readonly unknown[], call: Call, received: ReceivedPage): Pages
  /** Returns the arguments of the loaded pages with those of a page. */
  put(loaded: Call['loaded'], args: readonly unknown[]): Call['loaded']
  /** Returns the result whose fields beside the list are shown. @param page - the result of the page */
  beside(schema: PageSchema, before: unknown, page: unknown): unknown
}

/** Brought by the first list in both directions, so that bundles without one do not contain the code. */
export const bothDirections: {
  /** As for a list without previous pages. What they brought stays in front of the response. */
  join?: typeof withFirstPage
} = {}
