import { mount, unmount } from 'svelte'
import Discussed from './Discussed.svelte'
import DiscussedOfIds from './DiscussedOfIds.svelte'
import List from './List.svelte'
import ListOfIds from './ListOfIds.svelte'
import Page from './Page.svelte'
import { Cell } from './cell.svelte.js'

/**
 * @typedef {{ readonly current: any }} Reading
 *
 * @typedef {object} Library
 * @property {object} store - the actions of an `App`
 * @property {import('svelte').Component} [Provider] - around everything
 * @property {(id: () => number) => Reading} useIssue
 */

/**
 * The page of a library whose components read lists of issues, and pass them to rows as props.
 *
 * @param {Library & { useIssues: () => Reading, useDiscussed: () => Reading }} library
 */
export function createAppOfLists(library) {
  return createPage(library, { List, Discussed })
}

/**
 * The page of a library whose views read ids, and whose rows each read their own issue.
 *
 * @param {Library & { useIds: () => Reading, useDiscussedIds: () => Reading }} library
 */
export function createAppOfRows(library) {
  return createPage(library, { List: ListOfIds, Discussed: DiscussedOfIds })
}

function createPage(library, views) {
  const screen = new Cell('list')
  let page
  return {
    ...library.store,
    mount(target) {
      screen.value = 'list'
      page = mount(Page, { target, props: { library, screen, ...views } })
    },
    unmount: () => unmount(page),
    show: (next) => (screen.value = next),
  }
}
