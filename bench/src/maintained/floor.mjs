import { mostComments, wantedTeam, windowLength } from './data.mjs'

const open = ({ state }) => state === 'open'

/** What is written by hand, with Maps: each read filters and sorts what is there, if it has changed. */
class Issues {
  #byId = new Map()
  #users = new Map()
  #listeners = new Map()
  #version = 0

  constructor(issues, users) {
    for (const issue of issues) this.#byId.set(issue.id, issue)
    for (const user of users) this.#users.set(user.id, user)
  }

  change(issue) {
    const before = this.#byId.get(issue.id)
    this.#byId.set(issue.id, issue)
    this.#version++
    for (const userId of new Set([before.userId, issue.userId]))
      this.#listeners.get(userId)?.(this.#ofUser(userId))
  }

  /** @param {string} name */
  query(name) {
    let version = -1
    let value
    return () => {
      if (version !== this.#version) value = this.#compute(name)
      version = this.#version
      return value
    }
  }

  watchUser(userId, listener) {
    this.#listeners.set(userId, listener)
  }

  #compute(name) {
    const issues = [...this.#byId.values()]
    if (name === 'groups') return countsBy(issues)
    if (name === 'join')
      return issues.filter(({ userId }) => this.#users.get(userId).team === wantedTeam).sort(mostComments)
    const list = issues.filter(open).sort(mostComments)
    return name === 'window' ? list.slice(0, windowLength) : list
  }

  #ofUser(userId) {
    return [...this.#byId.values()].filter((issue) => issue.userId === userId).sort(mostComments)
  }
}

function countsBy(issues) {
  const counts = new Map()
  for (const { userId } of issues) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  return [...counts].map(([key, value]) => ({ key, value }))
}

/** @type {import('./data.mjs').MaintainedAdapter<Issues>} */
export const adapter = {
  create: (issues, users) => new Issues(issues, users),
  change: (store, issue) => store.change(issue),
  query: (store, name) => ({ read: store.query(name) }),
  watchUser: (store, userId, listener) => store.watchUser(userId, listener),
}
