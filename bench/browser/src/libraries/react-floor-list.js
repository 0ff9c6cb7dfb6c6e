import { Fragment, useMemo, useSyncExternalStore } from 'react'
import { mostDiscussed } from '../../../src/data.mjs'
import { createAppOfLists } from '../react/app.jsx'
import { ListStore, actionsOf } from './floor-store.js'
import { Cell } from './react-cell.js'

export function createApp() {
  const store = new ListStore((value) => new Cell(value))
  const useIssues = () => useSyncExternalStore(store.issues.subscribe, store.issues.get)
  return createAppOfLists({
    store: actionsOf(store),
    Provider: Fragment,
    useIssues,
    useDiscussed() {
      const issues = useIssues()
      return useMemo(() => mostDiscussed(issues), [issues])
    },
    useIssue: (id) => store.issue(useIssues(), id),
  })
}
