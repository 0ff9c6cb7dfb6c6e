import { createCollection, localOnlyCollectionOptions } from '@tanstack/db'
import { IndexedDBAdapter, startOfflineExecutor } from '@tanstack/offline-transactions'
import { counted, until, wait, writtenRows } from './page.js'

let answered = 0
const listeners = new Set()
let isOnline = false

const issues = createCollection(
  localOnlyCollectionOptions({ id: 'issues', getKey: ({ id }) => id, initialData: [] }),
)
const executor = startOfflineExecutor({
  collections: { issues },
  storage: new IndexedDBAdapter('issues', 'transactions'),
  mutationFns: {
    save: async ({ transaction }) => {
      await wait(5)
      answered += transaction.mutations.length
    },
  },
  onlineDetector: {
    isOnline: () => isOnline,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notifyOnline: () => {
      for (const listener of listeners) listener()
    },
    dispose: () => {},
  },
})

globalThis.steps = {
  written: writtenRows,
  queue: (size) =>
    counted(async () => {
      await executor.waitForInit()
      await until(() => executor.isOfflineEnabled)
      for (let id = 1; id <= size; id++) issues.insert({ id, title: 'Issue' })
      const from = performance.now()
      for (let id = 1; id <= size; id++) {
        const transaction = executor.createOfflineTransaction({ mutationFnName: 'save', autoCommit: false })
        transaction.mutate(() => issues.update(id, (draft) => void (draft.title = 'Changed')))
        transaction.commit().catch(() => {})
      }
      await until(async () => (await executor.peekOutbox()).length === size)
      return { queue: performance.now() - from }
    }),
  send: (size) =>
    counted(async () => {
      const from = performance.now()
      isOnline = true
      for (const listener of listeners) listener()
      await until(async () => answered === size && (await executor.peekOutbox()).length === 0)
      return { send: performance.now() - from }
    }),
}
