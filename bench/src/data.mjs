/** The number of users, for any number of issues. */
export const userCount = 100
/** The number of labels. Each issue has two of them. */
export const labelCount = 40

// All records have different ids, whatever their kind, because some libraries identify records by `id` alone.
const firstUser = 10_000_001
const firstLabel = 20_000_001

/**
 * The responses of an imagined server: a list of issues, and its changes. Always equal for a size.
 *
 * @typedef {object} Issue twelve fields
 * @property {number} id
 * @property {number} number
 * @property {string} title
 * @property {'open' | 'closed'} state
 * @property {string} body
 * @property {number} comments
 * @property {number} priority
 * @property {boolean} locked
 * @property {string} createdAt
 * @property {string} updatedAt
 * @property {User} user
 * @property {Label[]} labels
 * @typedef {{ id: number, login: string, name: string, avatarUrl: string }} User
 * @typedef {{ id: number, name: string, color: string }} Label
 */
export class Dataset {
  #hasTypenames
  /** @type {number[] | undefined} */
  #mostDiscussedIds

  /**
   * @param {number} size - the number of issues in the list
   * @param {{ hasTypenames?: boolean }} [options] - true if each record has a `__typename`, as in GraphQL
   */
  constructor(size, { hasTypenames = false } = {}) {
    this.size = size
    this.#hasTypenames = hasTypenames
    /** The response with the list. */
    this.listText = this.#write(Array.from({ length: size }, (_, index) => this.issue(index)))
  }

  /** The ids of the issues of `mostDiscussed`. @returns {readonly number[]} */
  get mostDiscussedIds() {
    this.#mostDiscussedIds ??= mostDiscussed(JSON.parse(this.listText)).map(({ id }) => id)
    return this.#mostDiscussedIds
  }

  /** @param {number} index @returns {number} the id of the issue at a position of the list */
  idAt(index) {
    return index + 1
  }

  /** @param {number} index @param {Partial<Issue>} [changes] @returns {Issue} */
  issue(index, changes) {
    const day = String((index % 28) + 1).padStart(2, '0')
    const issue = {
      id: this.idAt(index),
      number: index + 1000,
      title: `Issue number ${index} of the list`,
      state: /** @type {const} */ (index % 3 === 0 ? 'closed' : 'open'),
      body: `What happened, what was expected, and how to see it again: part ${index % 97} of the report.`,
      comments: (index * 7919) % 101,
      priority: index % 5,
      locked: index % 11 === 0,
      createdAt: `2024-03-${day}T08:00:00.000Z`,
      updatedAt: `2024-04-${day}T09:30:00.000Z`,
      user: this.user((index * 31) % userCount),
      labels: [this.label(index % labelCount), this.label((index * 7 + 1) % labelCount)],
      ...changes,
    }
    return this.#typed('Issue', issue)
  }

  /** @param {number} index @param {Partial<User>} [changes] @returns {User} */
  user(index, changes) {
    const user = {
      id: firstUser + index,
      login: `user-${index}`,
      name: `User Number ${index}`,
      avatarUrl: `https://avatars.example.com/u/${firstUser + index}?v=4`,
      ...changes,
    }
    return this.#typed('User', user)
  }

  /** @param {number} index @returns {Label} */
  label(index) {
    const color = (index * 1_234_567).toString(16).padStart(6, '0').slice(0, 6)
    return this.#typed('Label', { id: firstLabel + index, name: `label ${index}`, color })
  }

  /** @param {number} index @param {Partial<Issue>} changes @returns {string} the response to a change of one issue */
  issueText(index, changes) {
    return this.#write(this.issue(index, changes))
  }

  /** @param {number} index @param {Partial<User>} changes @returns {string} the response to a change of one user */
  userText(index, changes) {
    return this.#write(this.user(index, changes))
  }

  /**
   * A record that is not part of the list.
   *
   * @param {number} count @returns {string}
   */
  notificationText(count) {
    return this.#write(this.#typed('Notification', { id: 30_000_001, count }))
  }

  /** @param {number} index @returns {number} the id of the user at a position */
  userIdAt(index) {
    return firstUser + index
  }

  /** @template {object} Data @param {string} typename @param {Data} data @returns {Data} */
  #typed(typename, data) {
    return this.#hasTypenames ? { __typename: typename, ...data } : data
  }

  /** @param {unknown} data */
  #write(data) {
    return JSON.stringify(data)
  }
}

/**
 * Records that refer to the next one by id; the last one refers to the first.
 *
 * @param {number} size
 * @returns {string}
 */
export function cycleText(size) {
  const nodes = Array.from({ length: size }, (_, index) => ({
    id: index + 1,
    name: `node ${index + 1}`,
    next: ((index + 1) % size) + 1,
  }))
  return JSON.stringify(nodes)
}

/**
 * The data that scenario G derives from the list: the open issues, sorted by descending number of comments.
 *
 * @param {readonly Issue[]} issues
 * @returns {Issue[]}
 */
export function mostDiscussed(issues) {
  return issues
    .filter((issue) => issue.state === 'open')
    .sort((a, b) => b.comments - a.comments || a.id - b.id)
}
