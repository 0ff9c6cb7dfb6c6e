import { memoize } from './adapter.mjs'

const issueFields = [
  'number',
  'title',
  'state',
  'body',
  'comments',
  'priority',
  'locked',
  'createdAt',
  'updatedAt',
]

/** A hand-written store of issues, users and labels. Rarely used indexes (position and user of an issue) are built on first use. */
class IssueStore {
  issues = new Map()
  users = new Map()
  labels = new Map()
  notification
  list
  #positions
  #positionsByUser
  #listListeners = new Set()
  #listeners = new Map()

  ingest(text) {
    const answer = JSON.parse(text)
    const { list } = this
    let isNew = list === undefined || list.length !== answer.length
    for (let index = 0; index < answer.length; index++) {
      answer[index] = this.#merge(answer[index])
      if (!isNew && list[index] !== answer[index]) isNew = true
    }
    if (!isNew) return
    this.list = answer
    this.#positions = undefined
    this.#positionsByUser = undefined
    for (const listener of this.#listListeners) listener()
  }

  #merge(issue) {
    const { user, labels } = issue
    issue.user = this.#mergeUser(user)
    for (let index = 0; index < labels.length; index++) labels[index] = this.#mergeLabel(labels[index])
    const known = this.issues.get(issue.id)
    if (known !== undefined && isSameIssue(known, issue)) return known
    if (known !== undefined && isSameList(known.labels, labels)) issue.labels = known.labels
    this.issues.set(issue.id, issue)
    return issue
  }

  #mergeUser(user) {
    const known = this.users.get(user.id)
    const isSame =
      known !== undefined &&
      known.name === user.name &&
      known.login === user.login &&
      known.avatarUrl === user.avatarUrl
    if (isSame) return known
    this.users.set(user.id, user)
    return user
  }

  #mergeLabel(label) {
    const known = this.labels.get(label.id)
    if (known !== undefined && known.name === label.name && known.color === label.color) return known
    this.labels.set(label.id, label)
    return label
  }

  changeIssue(text) {
    const changed = JSON.parse(text)
    const known = this.issues.get(changed.id)
    const issue = this.#merge(changed)
    if (issue === known) return
    this.#positions ??= new Map(this.list.map(({ id }, index) => [id, index]))
    this.list = [...this.list]
    this.list[this.#positions.get(issue.id)] = issue
    if (known?.user !== issue.user) this.#positionsByUser = undefined
    for (const listener of this.#listeners.get(issue.id) ?? []) listener(issue)
    for (const listener of this.#listListeners) listener()
  }

  changeUser(text) {
    const changed = JSON.parse(text)
    const user = this.#mergeUser(changed)
    if (user !== changed) return
    this.#positionsByUser ??= groupByUser(this.list)
    this.list = [...this.list]
    for (const index of this.#positionsByUser.get(user.id) ?? []) {
      const issue = { ...this.list[index], user }
      this.list[index] = issue
      this.issues.set(issue.id, issue)
      for (const listener of this.#listeners.get(issue.id) ?? []) listener(issue)
    }
    for (const listener of this.#listListeners) listener()
  }

  watchList(listener) {
    this.#listListeners.add(listener)
    return () => this.#listListeners.delete(listener)
  }

  watchIssue(id, listener) {
    let listeners = this.#listeners.get(id)
    if (listeners === undefined) this.#listeners.set(id, (listeners = new Set()))
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
}

function groupByUser(list) {
  const groups = new Map()
  for (const [index, { user }] of list.entries()) {
    const group = groups.get(user.id)
    if (group === undefined) groups.set(user.id, [index])
    else group.push(index)
  }
  return groups
}

function isSameIssue(known, issue) {
  return (
    known.title === issue.title &&
    known.user === issue.user &&
    issueFields.every((field) => known[field] === issue[field]) &&
    isSameList(known.labels, issue.labels)
  )
}

function isSameList(a, b) {
  return a.length === b.length && a.every((member, index) => member === b[index])
}

/** @type {import('./adapter.mjs').Adapter<IssueStore>} */
export const adapter = {
  create: () => new IssueStore(),
  ingest: (store, text) => store.ingest(text),
  readList: (store) => store.list,
  watchList: (store, callback) => store.watchList(callback),
  changeIssue: (store, text) => store.changeIssue(text),
  changeUser: (store, text) => store.changeUser(text),
  watchIssue: (store, id, callback) => store.watchIssue(id, callback),
  derive(store, process) {
    const derived = memoize(process)
    return { read: () => derived(store.list), countsRuns: true }
  },
  writeUnrelated(store, text) {
    store.notification = JSON.parse(text)
  },
  createCycle: () => new Map(),
  ingestCycle(nodes, text) {
    for (const node of JSON.parse(text)) nodes.set(node.id, node)
  },
  readCycle(nodes) {
    const list = [...nodes.values()]
    for (const node of list) node.next = nodes.get(node.next)
    return list
  },
}
