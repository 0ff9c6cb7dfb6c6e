import { describe, expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { order } from '../rules.js'

class Task extends Entity {
  id: number | string = 0
  title = ''
  rank = 0
  static override key = 'Task'
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

/** Creates three tasks, and returns the titles of the list after each answer. @param answers - the order of the answers */
async function titlesAfter(
  answers: readonly number[],
  stored: readonly object[],
  ranks: readonly number[],
  options: object,
): Promise<string[]> {
  const held: (() => void)[] = []
  const tasks = createResource({
    path: '/task/:id',
    schema: Task,
    ...options,
    fetchResponse: async (_url, { method, body }) => {
      if (method === 'GET') return Response.json(stored)
      await new Promise<void>((resolve) => held.push(resolve))
      return Response.json(JSON.parse(body as string))
    },
  })
  const controller = new Controller()
  await controller.fetch(tasks.getList)
  const titles = () => (controller.read(tasks.getList).data ?? []).map(({ title }) => title).join(' ')
  const sent = ['A', 'B', 'C'].map((title, index) =>
    controller.fetch(tasks.create, { id: index + 1, title, rank: ranks[index] }),
  )
  await settled()
  const seen = [titles()]
  for (const index of answers) {
    held[index]?.()
    await sent[index]
    seen.push(titles())
  }
  return seen
}

const received = [
  { id: 8, title: 'X', rank: 1 },
  { id: 9, title: 'Z', rank: 2 },
]

describe.each(orders)('of creates that are answered as %i, %i, %i', (...answers) => {
  test.each([
    ['nothing was received', [], [1, 1, 1], order('rank'), 'A B C'],
    ['an equal and a greater one were received', received, [1, 1, 1], order('rank'), 'X A B C Z'],
    ['the greatest are first', received.toReversed(), [1, 1, 1], order('rank', 'descending'), 'Z X A B C'],
    ['two of them are equal', received, [2, 1, 2], order('rank'), 'X B Z A C'],
  ] as const)(
    'equal ones stand in the order in which they started: %s',
    async (_name, stored, ranks, orderBy, all) => {
      const early = await titlesAfter(answers, stored, ranks, { orderBy, optimistic })
      expect(early).toEqual([all, all, all, all])
      const late = await titlesAfter(answers, stored, ranks, { orderBy })
      const had = ['X', 'Z']
      for (const [count, titles] of late.entries()) {
        const there = new Set([...had, ...answers.slice(0, count).map((index) => 'ABC'[index])])
        expect(titles).toBe(
          all
            .split(' ')
            .filter((title) => there.has(title))
            .join(' '),
        )
      }
    },
  )
})
