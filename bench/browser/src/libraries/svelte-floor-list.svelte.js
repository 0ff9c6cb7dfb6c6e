import { mostDiscussed } from '../../../src/data.mjs'
import { createAppOfLists } from '../svelte/app.js'
import { Cell } from '../svelte/cell.svelte.js'
import { ListStore, actionsOf } from './floor-store.js'

const reading = (read) => {
  const current = $derived(read())
  return {
    get current() {
      return current
    },
  }
}

export function createApp() {
  const store = new ListStore((value) => new Cell(value))
  return createAppOfLists({
    store: actionsOf(store),
    useIssues: () => reading(() => store.issues.value),
    useDiscussed: () => reading(() => mostDiscussed(store.issues.value)),
    useIssue: (id) => reading(() => store.issue(store.issues.value, id())),
  })
}
