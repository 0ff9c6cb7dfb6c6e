import { Controller, Endpoint, Entity, Observer, Query, schema } from '@selfsame/core'

class User extends Entity {
  id = 0
  login = ''
  name = ''
  avatarUrl = ''
  static key = 'User'
}

class Label extends Entity {
  id = 0
  name = ''
  color = ''
  static key = 'Label'
}

class Issue extends Entity {
  id = 0
  number = 0
  title = ''
  state = 'open'
  body = ''
  comments = 0
  priority = 0
  locked = false
  createdAt = ''
  updatedAt = ''
  user = undefined
  labels = []
  static key = 'Issue'
  static schema = { user: User, labels: [Label] }
}

class Notification extends Entity {
  id = 0
  count = 0
  static key = 'Notification'
}

class Ring extends Entity {
  id = 0
  name = ''
  next = undefined
  static key = 'Ring'
  static schema = { next: Ring }
}

/** What the next request is answered with. */
let answer = ''

const answering = (name, definition, sideEffect) =>
  new Endpoint(async () => JSON.parse(answer), {
    name,
    schema: definition,
    sideEffect,
    // Nobody else holds what was parsed, as with a RestEndpoint.
    ownsPayload: true,
  })

const getList = answering('getList', new schema.Collection([Issue]), false)
const getIssue = answering('getIssue', Issue, false)
const updateIssue = answering('updateIssue', Issue, true)
const updateUser = answering('updateUser', User, true)
const updateNotification = answering('updateNotification', Notification, true)
const getRing = answering('getRing', [Ring], false)

function fetch(controller, endpoint, text) {
  answer = text
  return controller.fetch(endpoint)
}

/** @type {import('./adapter.mjs').Adapter<Controller>} */
export const adapter = {
  notes: {
    A: 'Stored as `fetch` stores it, in the store below the Controller: `fetch` itself resolves with the data, so that the first read is part of it.',
    G: 'First: the request has read the list, as `fetch` resolves with it.',
    H: 'After ingest: stored as in A.',
  },
  create: () => new Controller(),
  close: (controller) => controller.dispose(),
  store(controller, text) {
    const { store } = controller
    const row = controller.row(getList, [])
    const order = { kind: 'read', start: store.nextSequence(), settle: store.nextSequence() }
    const origin = { args: [], name: 'getList', isOwned: true }
    const payload = JSON.parse(text)
    store.transact(order, { controller: 60_000 }, Date.now(), (transaction) =>
      transaction.setResult(row, transaction.ingest(row.schema, payload, origin)),
    )
  },
  ingest: (controller, text) => fetch(controller, getList, text),
  readList: (controller) => controller.read(getList).data,
  openList(controller) {
    // What a binding holds for a mounted component.
    const observer = new Observer(controller, getList, [], ['data'])
    return () => observer.getSnapshot().data
  },
  watchList: (controller, callback) => controller.subscribe(getList, callback),
  changeIssue: (controller, text) => fetch(controller, updateIssue, text),
  changeUser: (controller, text) => fetch(controller, updateUser, text),
  watchIssue: (controller, id, callback) =>
    controller.subscribe(getIssue, { id }, ({ data }) => callback(data)),
  derive(controller, process) {
    const query = new Query(new schema.All(Issue), process)
    return { read: () => controller.read(query).data, countsRuns: true }
  },
  writeUnrelated: (controller, text) => fetch(controller, updateNotification, text),
  createCycle: () => new Controller(),
  ingestCycle: (controller, text) => fetch(controller, getRing, text),
  readCycle: (controller) => controller.read(getRing).data,
}
