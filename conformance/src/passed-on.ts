import { Controller } from '@selfsame/core'
import { describe, expect, test } from 'vitest'
import { ManualClock } from './clock.js'
import { createApi, todoFields } from './fixtures.js'
import type { Api } from './fixtures.js'
import { Server, reply } from './server.js'

/** What receives the list: a component that reads all its records at once, one for each record, or one that reads nothing. */
export const receivers = ['all at once', 'one by one', 'nothing'] as const

/**
 * A list that a component in a boundary reads by `useSuspense`, and passes on to a component in further boundaries inside. A boundary
 * shows `…` while something waits, and a `<button>` for what failed, which resets it. Each record is an `<i>` with its title.
 */
export interface PassedOn {
  readonly api: Api
  readonly controller: Controller
  /** The list of these todos. */
  readonly userId: number
  readonly receiver: (typeof receivers)[number]
  /** The number of boundaries that the list is passed through. */
  readonly depth: number
  /** `true` if those show what failed, too. */
  readonly areCatching: boolean
}

/** A mounted page. */
export interface MountedPassedOn {
  readonly screen: HTMLElement
  /** Shows another list. */
  go(userId: number): Promise<void>
  /** Waits until all promises are settled and the page is rendered. */
  settle(): Promise<void>
}

/** Lists to show one after the other, and those of them that are answered before the next is shown. */
const ways: Readonly<Record<string, readonly [userIds: readonly number[], answered: readonly number[]]>> = {
  'is changed before it is there': [[1, 2], []],
  'is changed twice before it is there': [[1, 3, 2], []],
  'is changed and changed back before it is there': [[2, 1, 2], []],
  'is changed': [[1, 2], [1]],
  'is changed twice': [[1, 3, 2], [1]],
  'is changed when it is there at last': [
    [3, 1, 2],
    [1, 2],
  ],
}

const listOf = (userId: number) => `GET /todo?userId=${userId}`

function createStage() {
  const clock = new ManualClock()
  const server = new Server(clock)
  for (const userId of [1, 2, 3]) {
    const todos = [userId * 10, userId * 10 + 1].map((id) => todoFields(id))
    server.route(listOf(userId), todos)
    for (const { id } of todos as { id: number }[]) server.route(`GET /todo/${id}`, todoFields(id))
    server.hold(listOf(userId))
  }
  return { server, api: createApi(server), controller: new Controller({ clock }) }
}

const rowsIn = (screen: Element) => [...screen.querySelectorAll('i')].map(({ textContent }) => textContent)

/** A page ends with the rows of the list that was asked for last, whichever boundary what has no data yet is passed through. */
export function describePassedOn(mount: (page: PassedOn) => Promise<MountedPassedOn>): void {
  const pages = receivers.flatMap((receiver) =>
    [1, 2].flatMap((depth) => [true, false].map((areCatching) => ({ receiver, depth, areCatching }))),
  )

  describe.each(pages)(
    'a list that is passed through $depth boundaries, which catch errors: $areCatching, to what reads $receiver',
    (page) => {
      test.each(Object.entries(ways))('and %s', async (_, [userIds, answered]) => {
        const { server, api, controller } = createStage()
        const [first = 0, ...others] = userIds
        const { screen, go, settle } = await mount({ ...page, api, controller, userId: first })
        await settle()
        for (const userId of others) {
          for (const early of answered) server.release(listOf(early))
          await settle()
          await go(userId)
          await settle()
          expect(screen.querySelectorAll('button')).toHaveLength(0)
        }

        server.release()
        await settle()
        await settle()

        expect(rowsIn(screen)).toEqual(['Todo 20', 'Todo 21'])
        expect(screen.textContent).not.toContain('…')
        expect(server.requests.filter((line) => line === listOf(2))).toHaveLength(1)
        controller.set(api.todo.get.schema, { id: 20 }, { title: 'Changed' })
        await settle()
        expect(rowsIn(screen)).toEqual(['Changed', 'Todo 21'])
      })

      test('and fails, shows its rows after a retry', async () => {
        const { server, api, controller } = createStage()
        server.route(listOf(2), reply.status(500, {}))
        const { screen, go, settle } = await mount({ ...page, api, controller, userId: 1 })
        await settle()
        await go(2)
        await settle()
        server.release()
        await settle()
        await settle()
        expect(screen.querySelectorAll('button')).toHaveLength(1)
        server.route(
          listOf(2),
          [20, 21].map((id) => todoFields(id)),
        )
        screen.querySelector('button')?.click()
        await settle()
        await settle()
        expect(rowsIn(screen)).toEqual(['Todo 20', 'Todo 21'])
        expect(screen.querySelectorAll('button')).toHaveLength(0)
      })
    },
  )
}
