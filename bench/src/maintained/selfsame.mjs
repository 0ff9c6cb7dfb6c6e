import { Controller, Entity, Query, schema } from '@selfsame/core'
import { from } from '@selfsame/core/maintained'
import { mostComments, wantedTeam, windowLength } from './data.mjs'

class User extends Entity {
  id = 0
  name = ''
  team = ''
  static key = 'User'
}

class Issue extends Entity {
  id = 0
  title = ''
  state = 'open'
  comments = 0
  userId = 0
  static key = 'Issue'
}

/** An issue that shows its user. */
class IssueOfUser extends Issue {
  user = undefined
  static key = 'Issue'
  static schema = { user: User }
}

const issues = new schema.All(Issue)

/** By the name of a query: those of @selfsame/core/maintained. */
const maintained = {
  list: () => open().orderBy('comments', 'descending').orderBy('id'),
  window: () => open().orderBy('comments', 'descending').orderBy('id').limit(windowLength),
  join: () =>
    from(IssueOfUser)
      .where((issue) => issue.user?.team === wantedTeam)
      .orderBy('comments', 'descending')
      .orderBy('id'),
  groups: () => from(Issue).groupBy('userId').count(),
}

const open = () => from(Issue).where((issue) => issue.state === 'open')

/** By the name of a query: a `Query`, which computes all anew. */
const computed = {
  list: () => new Query(issues, openIssues),
  window: () => new Query(issues, (all) => openIssues(all).slice(0, windowLength)),
  join: () =>
    new Query(new schema.All(IssueOfUser), (all) =>
      all.filter(({ user }) => user?.team === wantedTeam).sort(mostComments),
    ),
  groups: () => new Query(issues, countsByUser),
}

const openIssues = (all) => all.filter(({ state }) => state === 'open').sort(mostComments)

function countsByUser(all) {
  const counts = new Map()
  for (const { userId } of all) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  return [...counts].map(([key, value]) => ({ key, value }))
}

const ofUser = from(Issue).where('userId').orderBy('comments', 'descending').orderBy('id')
const ofUserComputed = new Query(issues, (all, { userId }) =>
  all.filter((issue) => issue.userId === userId).sort(mostComments),
)

const withUser = (issue) => ({ ...issue, user: issue.userId })

function adapterOf(queries, userQuery) {
  return {
    create(all, users) {
      const controller = new Controller()
      controller.set(new schema.All(User), {}, users)
      controller.set(new schema.All(IssueOfUser), {}, all.map(withUser))
      // They are on a screen already.
      controller.get(new schema.All(IssueOfUser))
      controller.get(issues)
      return controller
    },
    change: (controller, issue) => controller.set(IssueOfUser, { id: issue.id }, withUser(issue)),
    query(controller, name) {
      const query = queries[name]()
      const end = controller.subscribe(query, () => {})
      return { read: () => controller.get(query), end }
    },
    watchUser: (controller, userId, listener) =>
      controller.subscribe(userQuery, { userId }, ({ data }) => listener(data)),
  }
}

/** @type {import('./data.mjs').MaintainedAdapter<Controller>} */
export const maintainedAdapter = adapterOf(maintained, ofUser)
/** @type {import('./data.mjs').MaintainedAdapter<Controller>} */
export const queryAdapter = adapterOf(computed, ofUserComputed)
