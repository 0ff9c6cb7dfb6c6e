import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MockInstance } from 'vitest'
import { Controller, Entity, schema } from '../index.js'
import { optimistic } from '../optimistic.js'
import { RestEndpoint, createResource } from '../rest.js'

class Comment extends Entity {
  id: number | string = 0
  text = ''
  static override key = 'Comment'
}

/** An issue whose comments are a Collection with these options, and the resource of comments. */
function issues(options?: { nestKey: (issue: { id: number }) => object }) {
  class Issue extends Entity {
    id = 0
    comments: readonly Comment[] = []
    static override key = 'Issue'
  }
  const list = new schema.Collection([Comment], options as never)
  Issue.schema = { comments: list }
  const get = new RestEndpoint({ path: '/issue/:id', schema: Issue })
  const comments = createResource({
    path: '/comment/:id',
    schema: Comment,
    optimistic,
    fetchResponse: async (_url, { body }) => Response.json({ id: 9, ...JSON.parse(body as string) }),
  })
  const controller = new Controller()
  controller.setResponse(get, { id: 5 }, { id: 5, comments: [{ id: 1, text: 'first' }] })
  const texts = () => controller.get(Issue, { id: 5 })?.comments.map(({ text }) => text)
  return { controller, comments, list, texts, Issue }
}

let warned: MockInstance
beforeEach(() => {
  warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  warned.mockRestore()
})
const warnings = () => warned.mock.calls.map(([text]) => String(text))

test('a created record that only lists without nestKey could show is reported once, with the remedy', async () => {
  const { controller, comments, texts } = issues()
  await controller.fetch(comments.create, { text: 'second', issueId: 5 } as object)
  await controller.fetch(comments.create, { id: 10, text: 'third', issueId: 5 } as object)
  expect(texts()).toEqual(['first'])
  expect(warnings()).toEqual([
    '[selfsame] A created Comment joins no list: the Collection in Issue.comments has no `nestKey`, so only a response with the Issue changes it. Add `nestKey: (issue) => ({ issueId: issue.id })`, which names a field of Comment, or a param or a field of the body of the mutation.',
  ])
})

test('the push of the Collection itself is reported as well, and names the param that it found', async () => {
  const { controller, list } = issues()
  const push = new RestEndpoint({
    path: '/issues/:issue/comments',
    method: 'POST',
    schema: list.push,
    fetchResponse: async () => Response.json({ id: 9, text: 'second' }),
  })
  await controller.fetch(push, { issue: 5 }, { text: 'second' })
  expect(warnings()[0]).toContain('nestKey: (issue) => ({ issue: issue.id })')
})

test('a nestKey that names the primary key of the members is reported', async () => {
  const { controller, comments, texts } = issues({ nestKey: ({ id }) => ({ id }) })
  await controller.fetch(comments.create, { text: 'second' })
  expect(texts()).toEqual(['first'])
  expect(warnings()).toEqual([
    '[selfsame] A created Comment joins no list of a Collection in a record: its `nestKey` names "id", which is the primary key of Comment itself. Name the field of Comment that holds the key of the record around the list: `nestKey: (record) => ({ recordId: record.id })`.',
  ])
})

test('with the remedy the record joins, by its field, by a param or by the body, and nothing is reported', async () => {
  const { controller, comments, list, texts } = issues({ nestKey: ({ id }) => ({ issue: id }) })
  await controller.fetch(comments.create, { text: 'by the body', issue: 5 } as object)
  const push = new RestEndpoint({
    path: '/issues/:issue/comments',
    method: 'POST',
    schema: list.push,
    fetchResponse: async () => Response.json({ id: 10, text: 'by a param' }),
  })
  await controller.fetch(push, { issue: 5 }, {})
  expect(texts()).toEqual(['first', 'by the body', 'by a param'])
  expect(warnings()).toEqual([])
})

test('a record that joins another list, one that is expected, and one that moves are not reported', async () => {
  const { controller, comments } = issues()
  const creating = controller.fetch(comments.create, { text: 'second' })
  expect(warnings()).toEqual([])
  await creating
  warned.mockClear()
  const other = issues()
  other.controller.setResponse(other.comments.getList, {}, [])
  await other.controller.fetch(other.comments.create, { text: 'second' })
  await other.controller.fetch(other.comments.partialUpdate, { id: 1 }, { text: 'edited' })
  expect(warnings()).toEqual([])
})
