import { computed, shallowRef } from 'vue'
import { createAppOfRows } from '../vue/app.js'
import { RowStore, actionsOf } from './floor-store.js'

export function createApp() {
  const store = new RowStore(shallowRef)
  return createAppOfRows({
    store: actionsOf(store),
    useIds: () => store.ids,
    useDiscussedIds: () => store.discussed(),
    useIssue: (id) => computed(() => store.row(id()).value),
  })
}
