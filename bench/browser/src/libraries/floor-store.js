import { mostDiscussed } from '../../../src/data.mjs'

/**
 * A store written for these issues only. Each issue is a cell, which each framework tracks in its best way; a row
 * reads its own cell. The list and the sorted view are cells of ids.
 */
export class RowStore {
  #cell
  #rows = new Map()
  #idsByUser = new Map()
  #isSorted = false

  /** @param {(value: unknown) => { value: any }} cell - creates a cell whose `value` readers track */
  constructor(cell) {
    this.#cell = cell
    this.ids = cell([])
    this.discussedIds = cell([])
  }

  async ingest(text) {
    const issues = JSON.parse(text)
    for (const issue of issues) {
      this.#rows.set(issue.id, this.#cell(issue))
      const ids = this.#idsByUser.get(issue.user.id)
      if (ids === undefined) this.#idsByUser.set(issue.user.id, [issue.id])
      else ids.push(issue.id)
    }
    this.ids.value = issues.map(({ id }) => id)
  }

  row(id) {
    return this.#rows.get(id)
  }

  /** Sorts when the view is first shown, and after each change of an issue in it. */
  discussed() {
    if (!this.#isSorted) this.#sort()
    this.#isSorted = true
    return this.discussedIds
  }

  async changeIssue(text) {
    const changes = JSON.parse(text)
    const row = this.#rows.get(changes.id)
    const issue = row.value
    row.value = { ...issue, ...changes }
    const isMoved = row.value.state !== issue.state || row.value.comments !== issue.comments
    if (this.#isSorted && isMoved) this.#sort()
  }

  async changeUser(text) {
    const user = JSON.parse(text)
    for (const id of this.#idsByUser.get(user.id) ?? []) {
      const row = this.#rows.get(id)
      row.value = { ...row.value, user }
    }
  }

  async writeUnrelated(text) {
    this.notification = JSON.parse(text)
  }

  close() {}

  #sort() {
    const issues = this.ids.value.map((id) => this.#rows.get(id).value)
    this.discussedIds.value = mostDiscussed(issues).map(({ id }) => id)
  }
}

/** The same with one immutable array. The view reads it, and passes issues to rows as props. */
export class ListStore {
  #positions = new Map()

  /** @param {(value: unknown) => { value: any }} cell */
  constructor(cell) {
    this.issues = cell([])
  }

  async ingest(text) {
    const issues = JSON.parse(text)
    for (const [index, { id }] of issues.entries()) this.#positions.set(id, index)
    this.issues.value = issues
  }

  issue(issues, id) {
    return issues[this.#positions.get(id)]
  }

  async changeIssue(text) {
    const changes = JSON.parse(text)
    const position = this.#positions.get(changes.id)
    const issues = this.issues.value
    this.issues.value = issues.with(position, { ...issues[position], ...changes })
  }

  async changeUser(text) {
    const user = JSON.parse(text)
    this.issues.value = this.issues.value.map((issue) =>
      issue.user.id === user.id ? { ...issue, user } : issue,
    )
  }

  async writeUnrelated(text) {
    this.notification = JSON.parse(text)
  }

  close() {}
}

/** The actions of a page on a store. */
export function actionsOf(store) {
  return {
    ingest: (text) => store.ingest(text),
    changeIssue: (text) => store.changeIssue(text),
    changeUser: (text) => store.changeUser(text),
    writeUnrelated: (text) => store.writeUnrelated(text),
    close: () => store.close(),
  }
}
