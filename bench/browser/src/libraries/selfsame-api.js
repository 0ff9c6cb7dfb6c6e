import { Controller, Endpoint, Entity, Query, schema } from '@selfsame/core'
import { mostDiscussed } from '../../../src/data.mjs'

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

export const getIssues = answering('getIssues', new schema.Collection([Issue]), false)
export const getIssue = answering('getIssue', Issue, false)
const updateIssue = answering('updateIssue', Issue, true)
const updateUser = answering('updateUser', User, true)
const updateNotification = answering('updateNotification', Notification, true)

export const discussed = new Query(getIssues.schema, mostDiscussed)
export const ids = new Query(getIssues.schema, (issues) => issues.map(({ id }) => id))
export const discussedIds = new Query(discussed, (issues) => issues.map(({ id }) => id))

/** A Controller, and the responses of the server during the benchmark. */
export function createStore() {
  const controller = new Controller()
  const fetch = async (endpoint, text) => {
    answer = text
    await controller.fetch(endpoint)
  }
  return {
    controller,
    ingest: (text) => fetch(getIssues, text),
    changeIssue: (text) => fetch(updateIssue, text),
    changeUser: (text) => fetch(updateUser, text),
    writeUnrelated: (text) => fetch(updateNotification, text),
    close: () => controller.dispose(),
  }
}
