/** The number of users. */
export const userCount = 1000

/** A change moves a record by this many places of the list. */
const stride = 7919

/**
 * The records of the section, equal for each size.
 *
 * @typedef {object} Issue
 * @property {number} id
 * @property {string} title
 * @property {'open' | 'closed'} state
 * @property {number} comments
 * @property {number} userId
 * @typedef {{ id: number, name: string, team: string }} User
 */

/** @param {number} index @param {number} [turn] - counts the changes of it @returns {Issue} */
export function issueAt(index, turn = 0) {
  const at = index + turn * stride
  return {
    id: index + 1,
    title: `Issue number ${index}`,
    state: at % 3 === 0 ? 'closed' : 'open',
    comments: (at * stride) % 100_003,
    userId: (at % userCount) + 1,
  }
}

/** @param {number} size */
export function issuesOf(size) {
  return Array.from({ length: size }, (_, index) => issueAt(index))
}

/** @returns {User[]} */
export function users() {
  return Array.from({ length: userCount }, (_, index) => ({
    id: index + 1,
    name: `User ${index + 1}`,
    team: `team ${index % 10}`,
  }))
}

/** @param {Issue} a @param {Issue} b */
export const mostComments = (a, b) => b.comments - a.comments || a.id - b.id

/** The number of members of a window. */
export const windowLength = 50
/** The team whose issues the join lists. */
export const wantedTeam = 'team 3'
/**
 * What the section asks of a library.
 *
 * @typedef {'list' | 'window' | 'join' | 'groups'} QueryName list: open issues by number of comments; window: the first of these;
 *   join: the issues of the users of a team, by number of comments; groups: the number of issues of each user
 *
 * @template Store
 * @typedef {object} MaintainedAdapter
 * @property {(issues: Issue[], users: User[]) => Store | Promise<Store>} create
 * @property {(store: Store, issue: Issue) => void} change - stores an issue that came again
 * @property {(store: Store, name: QueryName) => { ready?: Promise<unknown>, read: () => readonly object[], end?: () => unknown }} query -
 *   makes a new query, which stays until it is ended. Groups have `key` and `value`
 * @property {(store: Store, userId: number, listener: (issues: readonly object[]) => void) => unknown} watchUser - tells of the
 *   issues of a user, by number of comments, after each change
 */
