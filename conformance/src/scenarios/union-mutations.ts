import { development } from '@selfsame/core/bindings'
import { schema } from '@selfsame/core'
import type { MutationState } from '@selfsame/core'
import { expect } from 'vitest'
import { Post } from '../fixtures.js'
import type { Link } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'

// Mutations of a resource whose records are of several classes: the arguments do not name the class.

const link = (url: string) => ({ id: 1, type: 'link', url })
const post = (content: string, id = 2) => ({ id, type: 'post', content })

/** How a mutation does not tell what the server made of it. `kindless`: the response does not name the class of the record. */
const silences = {
  '204': reply.status(204),
  lost: reply.offline(),
  kindless: { id: 2, content: 'B' },
} as const

/** What the server has after each change. */
const changes = {
  edit: [link('A'), post('B')],
  replace: [link('A'), post('B')],
  create: [link('A'), post('A'), post('New', 3)],
  delete: [link('A')],
} as const

for (const [way, answer] of Object.entries(silences))
  for (const [change, after] of Object.entries(changes)) {
    // A deletion that succeeded says what it did.
    if (change === 'delete' && way !== 'lost') continue
    scenario(
      `2.1/Union/${change}/${way}`,
      'what shows a record of a Union is fetched again after a mutation that does not tell what it wrote',
      async ({ api, controller, logged, mount, server, settle }) => {
        server.route('GET /item', [link('A'), post('A')])
        server.route('GET /item/1', link('A'))
        const [list, other] = [
          await mount('useSuspense', api.item.getList),
          await mount('useSuspense', api.item.get, { id: 1 }),
        ]
        await settle()
        server.requests.length = 0
        for (const name of ['PATCH /item/2', 'PUT /item/2', 'POST /item', 'DELETE /item/2'])
          server.route(name, answer)
        const { partialUpdate, update, create, delete: remove } = api.item
        server.route('GET /item', after)
        const edited = { content: 'B' }
        const changed =
          change === 'edit'
            ? controller.fetch(partialUpdate.extend({ mayBeEmpty: true }), { id: 2 }, edited)
            : change === 'replace'
              ? controller.fetch(update.extend({ mayBeEmpty: true }), { id: 2 }, edited)
              : change === 'create'
                ? controller.fetch(create.extend({ mayBeEmpty: true }), { type: 'post', content: 'New' })
                : controller.fetch(remove, { id: 2 })
        if (way === 'lost') await expect(changed).rejects.toThrow(/no response/)
        else await changed
        // As for a record of one class.
        if (way === '204' && change === 'edit') expect(await changed).toBe(controller.get(Post, { id: 2 }))
        controller.refetchStale()
        await settle()
        if (way === 'kindless')
          expect(logged.splice(0)).toEqual(
            development ? [expect.stringContaining('No schema for undefined')] : [],
          )
        const [, ...reads] = server.requests
        expect(reads).toEqual(['GET /item'])
        expect(shown(list)).toEqual(after)
        expect(shown(list)).toMatchObject([shown(other) as Link, ...after.slice(1)])
      },
    )
  }

for (const change of ['edit', 'replace'] as const)
  scenario(
    `2.1/Union/${change}/keyless`,
    'a response that names the class of a record of a Union and lacks its primary key is the record that the arguments name',
    async ({ api, controller, mount, server, settle }) => {
      server.route('GET /item', [link('A'), post('A')])
      const list = await mount('useSuspense', api.item.getList)
      await settle()
      const answer = { type: 'post', content: 'As saved' }
      server.route('PATCH /item/2', answer)
      server.route('PUT /item/2', answer)
      const { partialUpdate, update } = api.item
      const edited =
        change === 'edit'
          ? controller.fetch(partialUpdate, { id: 2 }, { content: 'B' })
          : controller.fetch(update, { id: 2 }, { type: 'post', content: 'B' })
      expect(await edited).toBe(controller.get(Post, { id: 2 }))
      await settle()
      controller.refetchStale()
      await settle()
      expect(shown(list)).toEqual([link('A'), post('As saved')])
      expect(server.requests).toEqual(['GET /item', `${change === 'edit' ? 'PATCH' : 'PUT'} /item/2`])
    },
  )

scenario(
  '2.1/Union/edit/{}',
  'an empty object in response to a mutation of a Union tells nothing, as one of a record does',
  async ({ api, controller, mount, server, settle }) => {
    server.route('GET /item', [link('A'), post('A')])
    const list = await mount('useSuspense', api.item.getList)
    await settle()
    server.route('PATCH /item/2', {})
    server.route('GET /item', [link('A'), post('B')])
    const edited = controller.fetch(api.item.partialUpdate, { id: 2 }, { content: 'B' })
    expect(await edited).toBe(controller.get(Post, { id: 2 }))
    controller.refetchStale()
    await settle()
    expect(shown(list)).toEqual([link('A'), post('B')])
    expect(server.requests).toEqual(['GET /item', 'PATCH /item/2', 'GET /item'])
  },
)

for (const way of ['a mutation', 'a message'] as const)
  scenario(
    `2.1/Union/order/${way}`,
    'an edit that is answered after the record of a Union was deleted does not bring it back',
    async ({ api, controller, mount, server, settle }) => {
      server.route('GET /item', [link('A'), post('A')])
      const list = await mount('useSuspense', api.item.getList)
      await settle()
      server.route('PATCH /item/2', post('B'))
      server.hold('PATCH /item/2')
      const edited = controller.fetch(api.item.partialUpdate, { id: 2 }, { content: 'B' })
      await settle()
      server.route('DELETE /item/2', {})
      server.route('GET /item', [link('A')])
      if (way === 'a mutation') await controller.fetch(api.item.delete, { id: 2 })
      else controller.set(new schema.Delete(Post), { id: 2 }, {})
      server.release()
      await edited
      await settle()
      expect(controller.get(Post, { id: 2 })).toBe(undefined)
      expect(shown(list)).toEqual([link('A')])
    },
  )

scenario(
  'hooks/mutations/Union',
  'useMutations and useFetching of a record show the requests of a resource whose Union has its class',
  async ({ api, controller, mount, server, settle }) => {
    const count = await mount('useFetching', api.item.get, [Post, 2])
    const states = await mount('useMutations', api.item.get, [Post, 2])
    const beside = await mount('useMutations', api.item.get, [Post, 3])
    server.route('PATCH /item/2', reply.status(500))
    server.hold('PATCH /item/2')
    const failing = controller.fetch(api.item.partialUpdate, { id: 2 }, { content: 'B' }).catch(() => {})
    await settle()
    expect(shown(count)).toBe(1)
    expect(shown(states)).toMatchObject([{ loading: true }])
    server.release()
    await failing
    await settle()
    expect(shown(count)).toBe(0)
    const [state] = shown(states) as readonly MutationState[]
    expect(state).toMatchObject({ loading: false, error: { status: 500 } })
    expect(shown(beside)).toEqual([])
    state?.dismiss()
    await settle()
    expect(shown(states)).toEqual([])
  },
)
