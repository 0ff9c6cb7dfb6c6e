import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Controller, Entity } from '../index.js'
import { createResource } from '../rest.js'
import { rule } from '../rules.js'

class Task extends Entity {
  id = 0
  isDone = false
  static override key = 'Task'
}

interface Search {
  readonly isDone?: boolean
}

const searches: readonly Search[] = [{}, { isDone: false }, { isDone: true }]
const ids = [1, 2, 3]

const step = fc.oneof(
  fc.record({ kind: fc.constant('change' as const), id: fc.constantFrom(...ids), isDone: fc.boolean() }),
  fc.record({ kind: fc.constant('get' as const), id: fc.constantFrom(...ids) }),
  fc.record({ kind: fc.constant('list' as const), index: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constant('message' as const), id: fc.constantFrom(...ids) }),
  fc.record({ kind: fc.constant('patch' as const), id: fc.constantFrom(...ids), isDone: fc.boolean() }),
  fc.record({ kind: fc.constant('answer' as const), index: fc.nat({ max: 5 }) }),
)

/** Lets go on what can go on without an answer. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve))

test('no list has a record that its rule refuses, and once messages have told all, every Valid list is that of the server', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const truth = new Map(ids.map((id) => [id, { id, isDone: false }]))
      const waiting: (() => void)[] = []
      const tasks = createResource({
        path: '/task/:id',
        schema: Task,
        searchParams: {} as Search,
        filter: rule(
          (task: Task, { isDone }: Search) =>
            isDone === undefined || task.isDone === (String(isDone) === 'true'),
        ),
        // The server handles a request when it is sent.
        fetchResponse: (url, { method, body }) => {
          const { pathname, searchParams } = new URL(url, 'http://test')
          const id = Number(pathname.split('/')[2])
          if (method === 'PATCH') truth.set(id, { ...(JSON.parse(body as string) as Task), id })
          const isDone = searchParams.get('isDone')
          const rows = [...truth.values()].filter((row) => isDone === null || String(row.isDone) === isDone)
          const response = Response.json(Number.isNaN(id) ? rows : truth.get(id))
          return new Promise((resolve) => waiting.push(() => resolve(response)))
        },
      })
      const controller = new Controller({ keepLength: Infinity })
      for (const params of searches) controller.setResponse(tasks.getList, params, [...truth.values()])
      controller.setResponse(tasks.getList, { isDone: true }, [])
      const check = () => {
        for (const params of searches) {
          const { data = [] } = controller.read(tasks.getList, params)
          const isRight = ({ isDone }: Task) => params.isDone === undefined || isDone === params.isDone
          expect([params, data.filter((task) => !isRight(task))]).toEqual([params, []])
        }
      }
      const tell = (id: number) =>
        callsOf(controller).receive(() => controller.set(Task, { id }, truth.get(id) as Task))
      for (const each of steps) {
        if (each.kind === 'change') truth.set(each.id, { id: each.id, isDone: each.isDone })
        else if (each.kind === 'get') void controller.fetch(tasks.get, { id: each.id })
        else if (each.kind === 'list') void controller.fetch(tasks.getList, searches[each.index] as Search)
        else if (each.kind === 'message') tell(each.id)
        else if (each.kind === 'patch')
          void controller.fetch(tasks.partialUpdate, { id: each.id }, { isDone: each.isDone })
        else waiting.splice(each.index, 1)[0]?.()
        await settled()
        check()
      }
      for (const answer of waiting) answer()
      await settled()
      for (const id of ids) tell(id)
      check()
      for (const params of searches) {
        const { data, status } = controller.read(tasks.getList, params)
        if (status !== 'Valid') continue
        const all = [...truth.values()].filter(
          ({ isDone }) => params.isDone === undefined || isDone === params.isDone,
        )
        expect([params, data?.map(({ id }) => id).sort()]).toEqual([params, all.map(({ id }) => id).sort()])
      }
      controller.dispose()
    }),
  )
})
