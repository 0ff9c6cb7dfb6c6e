import { denormalize, normalize, schema } from 'normalizr'
import { memoize } from './adapter.mjs'
import { Listeners, watchSelected } from './listeners.mjs'

const user = new schema.Entity('users')
const label = new schema.Entity('labels')
const issue = new schema.Entity('issues', { user, labels: [label] })
const notification = new schema.Entity('notifications')
const issues = [issue]

const ring = new schema.Entity('ring')
ring.define({ next: ring })

/** The state of a reducer, and its selectors. */
class EntityStore {
  state = { entities: {}, list: undefined }
  #selectList = memoize(({ entities, list }) => denormalize(list, issues, entities))
  #listeners = new Listeners()

  write(definition, text, isList = false) {
    const { result, entities } = normalize(JSON.parse(text), definition)
    const merged = { ...this.state.entities }
    for (const [key, table] of Object.entries(entities)) merged[key] = { ...merged[key], ...table }
    this.state = { entities: merged, list: isList ? result : this.state.list }
    this.#listeners.tell()
  }

  list = () => this.#selectList(this.state)
  // Like a selector with an equality check: its result stays the same as long as the record in the table.
  issue = (id) => {
    const { entities } = this.state
    return entities.issues[id]
  }
  subscribe = (listener) => this.#listeners.add(listener)
}

/** @type {import('./adapter.mjs').Adapter<EntityStore>} */
export const adapter = {
  notes: {
    F: 'The store tells each reader of each change, and each looks whether its record is another.',
    B: 'New tables at each answer: every identity is lost.',
  },
  create: () => new EntityStore(),
  ingest: (store, text) => store.write(issues, text, true),
  readList: (store) => store.list(),
  watchList: (store, callback) => watchSelected(store.subscribe, store.list, callback),
  changeIssue: (store, text) => store.write(issue, text),
  changeUser: (store, text) => store.write(user, text),
  watchIssue: (store, id, callback) => watchSelected(store.subscribe, () => store.issue(id), callback),
  derive(store, process) {
    const derived = memoize(process)
    return { read: () => derived(store.list()), countsRuns: true }
  },
  writeUnrelated: (store, text) => store.write(notification, text),
  createCycle: () => ({}),
  ingestCycle: (store, text) => Object.assign(store, normalize(JSON.parse(text), [ring])),
  readCycle: ({ result, entities }) => denormalize(result, [ring], entities),
}
