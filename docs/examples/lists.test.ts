import { Controller, Entity, schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { order, rule } from '@selfsame/core/rules'
import { expect, test } from 'vitest'

// The samples of docs/data-model.md, Rules, and of docs/recipes.md, Add a
// comment.

class Comment extends Entity {
  id = 0
  text = ''
  static override key = 'Comment'
}

test('a comment joins the list in its issue', async () => {
  const comments = new schema.Collection([Comment], {
    nestKey: (issue) => ({ issueId: issue.id }),
  })

  class Issue extends Entity {
    id = 0
    title = ''
    commentCount = 0
    comments: Comment[] = []
    static override key = 'Issue'
    static override schema = { comments }
  }

  const getIssue = new RestEndpoint({ path: '/issue/:id', schema: Issue })

  const addComment = new RestEndpoint({
    path: '/issue/:issueId/comment',
    method: 'POST',
    body: {} as { text: string },
    schema: comments.push,
    update: (_comment, { issueId }) => ({
      [getIssue.key({ id: issueId })]: (issue: Issue) => ({
        ...issue,
        commentCount: issue.commentCount + 1,
      }),
    }),
  })

  const controller = new Controller({
    fetch: async (_url, init) =>
      Response.json({ id: 2, ...JSON.parse(init?.body as string) }),
  })
  controller.setResponse(
    getIssue,
    { id: 5 },
    { id: 5, commentCount: 1, comments: [{ id: 1, text: 'First' }] },
  )
  await controller.fetch(addComment, { issueId: 5 }, { text: 'Second' })
  const issue = controller.get(Issue, { id: 5 })
  expect(issue?.comments.map(({ text }) => text)).toEqual(['First', 'Second'])
  expect(issue?.commentCount).toBe(2)
})

class Issue extends Entity {
  id = 0
  title = ''
  state = 'open'
  createdAt = new Date(0)
  static override key = 'Issue'
  static override schema = { createdAt: Date }
}

const issueResource = createResource({
  path: '/issue/:id',
  schema: Issue,
  searchParams: {} as { state?: string; sort?: string },
  filter: rule(
    (issue: Issue, { state }: { state?: string }) =>
      state === undefined || issue.state === state,
  ),
  orderBy: order('createdAt', 'descending'),
})

const ended = new schema.Collection([Issue], {
  filter: rule(
    (issue, { since }: { since: string }) => issue.createdAt >= new Date(since),
  ),
  orderBy: order((a, b) => a.title.localeCompare(b.title)),
})

test('a rule and an order decide where a record belongs', async () => {
  const controller = new Controller({
    fetch: async (_url, init) =>
      Response.json({ id: 2, ...JSON.parse(init?.body as string) }),
  })
  const { getList, create, partialUpdate } = issueResource
  const ids = (state?: string) =>
    controller
      .read(getList, { ...(state !== undefined && { state }) })
      .data?.map(({ id }) => id)
  for (const state of ['open', undefined])
    controller.setResponse(getList, { ...(state !== undefined && { state }) }, [
      { id: 1, createdAt: '2026-01-01' },
    ])
  await controller.fetch(create, { createdAt: '2026-01-02' })
  expect([ids('open'), ids()]).toEqual([
    [2, 1],
    [2, 1],
  ])
  await controller.fetch(partialUpdate, { id: 2 }, { state: 'closed' })
  expect([ids('open'), ids()]).toEqual([[1], [2, 1]])

  const getEnded = new RestEndpoint({
    path: '/ended',
    searchParams: {} as { since?: string },
    schema: ended,
  })
  controller.setResponse(getEnded, { since: '2026-01-01' }, [
    { id: 1, title: 'B', createdAt: '2026-01-01' },
  ])
  controller.setResponse(
    getEnded.push,
    {},
    {},
    { id: 3, title: 'A', createdAt: '2026-01-03' },
  )
  expect(
    controller
      .read(getEnded, { since: '2026-01-01' })
      .data?.map(({ id }) => id),
  ).toEqual([3, 1])
})
