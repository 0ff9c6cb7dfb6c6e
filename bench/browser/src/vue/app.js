import { createApp, h, shallowRef } from 'vue'
import AsyncDetail from './AsyncDetail.vue'
import AsyncList from './AsyncList.vue'
import Detail from './Detail.vue'
import Discussed from './Discussed.vue'
import DiscussedOfIds from './DiscussedOfIds.vue'
import List from './List.vue'
import ListOfIds from './ListOfIds.vue'
import { libraryKey } from './library-key.js'

/**
 * @typedef {object} Library
 * @property {object} store - the actions of an `App`
 * @property {(app: import('vue').App) => void} [install] - before each mount
 * @property {import('vue').Component} [Boundary] - around everything
 * @property {(id: () => number) => Ref<Issue>} useIssue
 */

/**
 * The page of a library whose components read lists of issues, and pass them to rows as props.
 *
 * @param {Library & { useIssues: () => Ref<Issue[]>, useDiscussed: () => Ref<Issue[]> }} library
 */
export function createAppOfLists(library) {
  return createPage(library, { List, Discussed, Detail })
}

/** The same, where `useIssues` and `useIssue` are awaited, by a `<Suspense>` in `Boundary`. @param {Library} library */
export function createAppOfAwaitedLists(library) {
  return createPage(library, { List: AsyncList, Discussed, Detail: AsyncDetail })
}

/**
 * The page of a library whose views read ids, and whose rows each read their own issue.
 *
 * @param {Library & { useIds: () => Ref<number[]>, useDiscussedIds: () => Ref<number[]> }} library
 */
export function createAppOfRows(library) {
  return createPage(library, { List: ListOfIds, Discussed: DiscussedOfIds, Detail })
}

function createPage(library, views) {
  const { store, install, Boundary } = library
  const screen = shallowRef('list')
  let app

  const Screen = () => {
    if (screen.value === 'list') return h(views.List)
    if (screen.value === 'discussed') return h(views.Discussed)
    return h(views.Detail, { id: screen.value.id })
  }
  const Page = Boundary === undefined ? Screen : () => h(Boundary, null, { default: () => h(Screen) })

  return {
    ...store,
    mount(element) {
      screen.value = 'list'
      app = createApp(Page)
      app.provide(libraryKey, library)
      install?.(app)
      app.mount(element)
    },
    unmount: () => app.unmount(),
    show: (next) => (screen.value = next),
  }
}
