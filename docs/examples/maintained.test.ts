import { Controller, Entity, schema } from '@selfsame/core'
import { from } from '@selfsame/core/maintained'
import { expect, test } from 'vitest'

// The samples of docs/maintained.md.

class Issue extends Entity {
  id = 0
  title = ''
  state = 'open'
  votes = 0
  createdAt = ''
  static override key = 'Issue'
}

class Comment extends Entity {
  id = 0
  issueId = 0
  text = ''
  static override key = 'Comment'
}

const newestOpen = from(Issue)
  .where({ state: 'open' })
  .where((issue, { text }: { text: string }) => issue.title.includes(text))
  .orderBy('createdAt', 'descending')
  .limit(50)

const countsByState = from(Issue).groupBy('state').count()
const mostVotes = from(Issue).max('votes')
const withComments = from(Issue).where('state').with(Comment, 'issueId')
const discussed = withComments
  .where(([, comments]) => comments.length > 10)
  .count()

const rows = from(Issue)
  .where({ state: 'open' })
  .orderBy('createdAt', 'descending')
  .window()

test('queries that maintain themselves', () => {
  const controller = new Controller()
  controller.set(new schema.All(Issue), {}, [
    { id: 1, title: 'A crash', createdAt: '2026-01-01', votes: 3 },
    { id: 2, title: 'A crash at night', createdAt: '2026-02-01' },
    { id: 3, title: 'A crash that is mended', state: 'closed' },
  ])

  const issues = controller.get(newestOpen, { text: 'crash' })

  expect(issues?.map(({ id }) => id)).toEqual([2, 1])
  expect(controller.get(countsByState)).toEqual([
    { key: 'open', value: 2 },
    { key: 'closed', value: 1 },
  ])
  expect(controller.get(mostVotes)).toBe(3)
  controller.set(Comment, { id: 1 }, { issueId: 2 })
  const rows = controller.get(withComments, { state: 'open' })
  expect(rows?.map(([issue, comments]) => [issue.id, comments.length])).toEqual(
    [
      [1, 0],
      [2, 1],
    ],
  )
  expect(controller.get(discussed, {})).toBe(0)
})

test('a window of a list', () => {
  const controller = new Controller()
  controller.set(
    new schema.All(Issue),
    {},
    Array.from({ length: 100 }, (_, index) => ({
      id: index + 1,
      createdAt: `2026-01-01T00:00:${index}`,
    })),
  )

  const {
    items,
    from: first,
    total,
  } = controller.get(rows, { window: [0, 30] })!

  expect([items.length, first, total]).toEqual([30, 0, 100])
})
