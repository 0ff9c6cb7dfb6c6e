import { Controller, Endpoint, Entity, Query, schema } from '@selfsame/core'

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

/** The response to the next request. */
let answer = ''

const answering = (name, definition, sideEffect) =>
  new Endpoint(async () => JSON.parse(answer), {
    name,
    schema: definition,
    sideEffect,
    // Only Selfsame holds the parsed payload, as for a RestEndpoint.
    ownsPayload: true,
  })

const getList = answering('getList', new schema.Collection([Issue]), false)
const getIssue = answering('getIssue', Issue, false)
const updateIssue = answering('updateIssue', Issue, true)
const updateUser = answering('updateUser', User, true)
const updateNotification = answering('updateNotification', Notification, true)
const getRing = answering('getRing', [Ring], false)

/** The last payload that a middleware saw, kept as by a cache on disk. */
export const seen = { payload: undefined }

const keeping = () => ({
  async request(_call, next) {
    seen.payload = await next()
    return seen.payload
  },
})

function fetch(controller, endpoint, text) {
  answer = text
  return controller.fetch(endpoint)
}

/** @type {import('./adapter.mjs').Adapter<Controller>} */
export const adapter = {
  notes: {
    A: '`controller.setResponse`. The payload is the caller’s, so that the store copies it.',
    G: 'First: the request has read the list, as `fetch` resolves with it.',
  },
  create: () => new Controller(),
  createSeen: () => new Controller({ middleware: [keeping] }),
  close: (controller) => controller.dispose(),
  push: (controller, text) => controller.setResponse(getList, JSON.parse(text)),
  pushIssue(controller, text) {
    const issue = JSON.parse(text)
    controller.setResponse(getIssue, { id: issue.id }, issue)
  },
  ingest: (controller, text) => fetch(controller, getList, text),
  readList: (controller) => controller.read(getList).data,
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
