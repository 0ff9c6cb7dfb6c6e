import { createAppOfRows } from '../svelte/app.js'
import { Cell } from '../svelte/cell.svelte.js'
import { RowStore, actionsOf } from './floor-store.js'

const reading = (read) => ({
  get current() {
    return read()
  },
})

export function createApp() {
  const store = new RowStore((value) => new Cell(value))
  return createAppOfRows({
    store: actionsOf(store),
    useIds: () => reading(() => store.ids.value),
    useDiscussedIds() {
      const ids = store.discussed()
      return reading(() => ids.value)
    },
    useIssue: (id) => reading(() => store.row(id()).value),
  })
}
