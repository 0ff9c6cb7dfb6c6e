import { computed, shallowRef } from 'vue'
import { mostDiscussed } from '../../../src/data.mjs'
import { createAppOfLists } from '../vue/app.js'
import { ListStore, actionsOf } from './floor-store.js'

export function createApp() {
  const store = new ListStore(shallowRef)
  return createAppOfLists({
    store: actionsOf(store),
    useIssues: () => store.issues,
    useDiscussed: () => computed(() => mostDiscussed(store.issues.value)),
    useIssue: (id) => computed(() => store.issue(store.issues.value, id())),
  })
}
