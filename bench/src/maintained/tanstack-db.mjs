import { count, createCollection, createLiveQueryCollection, eq } from '@tanstack/db'
import { wantedTeam, windowLength } from './data.mjs'

/** A collection whose records are brought by its `sync`, as those of a socket are. */
function syncedCollection(id, records) {
  let sync
  const collection = createCollection({
    id,
    getKey: (record) => record.id,
    startSync: true,
    sync: {
      sync(given) {
        sync = given
        sync.begin()
        for (const value of records) sync.write({ type: 'insert', value })
        sync.commit()
        sync.markReady()
      },
    },
  })
  const change = (value) => {
    sync.begin()
    sync.write({ type: 'update', value })
    sync.commit()
  }
  return { collection, change }
}

const ordered = (query) =>
  query.orderBy(({ issue }) => issue.comments, 'desc').orderBy(({ issue }) => issue.id, 'asc')

const open = (query, { issues }) =>
  ordered(query.from({ issue: issues.collection }).where(({ issue }) => eq(issue.state, 'open')))

const queries = {
  list: open,
  window: (query, store) => open(query, store).limit(windowLength),
  join: (query, { issues, users }) =>
    ordered(
      query
        .from({ issue: issues.collection })
        .join({ user: users.collection }, ({ issue, user }) => eq(issue.userId, user.id), 'inner')
        .where(({ user }) => eq(user.team, wantedTeam)),
    ).select(({ issue }) => ({
      id: issue.id,
      title: issue.title,
      state: issue.state,
      comments: issue.comments,
      userId: issue.userId,
    })),
  groups: (query, { issues }) =>
    query
      .from({ issue: issues.collection })
      .groupBy(({ issue }) => issue.userId)
      .select(({ issue }) => ({ key: issue.userId, value: count(issue.id) })),
}

/** @type {import('./data.mjs').MaintainedAdapter<{ issues: any, users: any }>} */
export const adapter = {
  async create(issues, users) {
    const store = { issues: syncedCollection('issues', issues), users: syncedCollection('users', users) }
    await store.issues.collection.preload()
    await store.users.collection.preload()
    return store
  },
  change: ({ issues }, issue) => issues.change(issue),
  query(store, name) {
    const live = createLiveQueryCollection((query) => queries[name](query, store))
    return { ready: live.preload(), read: () => live.toArray, end: () => live.cleanup() }
  },
  async watchUser({ issues }, userId, listener) {
    const live = createLiveQueryCollection((query) =>
      ordered(query.from({ issue: issues.collection }).where(({ issue }) => eq(issue.userId, userId))),
    )
    await live.preload()
    live.subscribeChanges(() => listener(live.toArray))
  },
}
