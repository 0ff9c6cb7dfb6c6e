import { Fragment, useSyncExternalStore } from 'react'
import { createAppOfRows } from '../react/app.jsx'
import { RowStore, actionsOf } from './floor-store.js'
import { Cell } from './react-cell.js'

const useCell = (cell) => useSyncExternalStore(cell.subscribe, cell.get)

export function createApp() {
  const store = new RowStore((value) => new Cell(value))
  return createAppOfRows({
    store: actionsOf(store),
    Provider: Fragment,
    useIds: () => useCell(store.ids),
    useDiscussedIds: () => useCell(store.discussed()),
    useIssue: (id) => useCell(store.row(id)),
  })
}
