import { Entity, schema } from '@selfsame/core'
import type { CacheSnapshot } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { expect } from 'vitest'
import { baseUrl, reply } from '../server.js'
import type { ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// Lists in a record that an expected response holds.

class Tag extends Entity {
  id = 0
  name = ''
  noteId: number | string = 0
  static override key = 'Tag'
}

const tags = new schema.Collection([Tag])
const ownTags = new schema.Collection([Tag], {
  nestKey: ({ id }: { readonly id: number | string }) => ({ noteId: id }),
})
const tagMap = new schema.Collection(new schema.Values(Tag))

class Note extends Entity {
  id: number | string = 0
  title = ''
  declare tags: readonly Tag[]
  declare own: readonly Tag[]
  declare map: Readonly<Record<string, Tag>>
  declare meta: { readonly labels: readonly Tag[] }
  static override key = 'Note'
  static override schema = { tags, own: ownTags, map: tagMap, meta: { labels: tags } }
}

const one = { id: 1, name: 'One', noteId: 9 }
const two = { id: 2, name: 'Two', noteId: 9 }
const lists: object = { tags: [one], own: [one], map: { one }, meta: { labels: [one] } }
const empty: object = { tags: [], own: [], map: {}, meta: { labels: [] } }
const changed: object = { tags: [one, two], own: [two], map: { one, two }, meta: { labels: [two, one] } }

function createNotes({ server }: Stage) {
  const shared = {
    urlPrefix: baseUrl,
    fetchResponse: (url: string, init: RequestInit) => server.fetch(url, init),
  }
  const resource = createResource({ ...shared, path: '/note/:id', schema: Note, optimistic })
  server.route('GET /note', [{ id: 1, title: 'First', ...lists }])
  server.route('GET /note/1', { id: 1, title: 'First', ...lists })
  server.route('POST /note', ({ body }: ServerRequest) => ({ ...(body as object), id: 9 }))
  server.route('PATCH /note/1', ({ body }: ServerRequest) => ({
    id: 1,
    title: 'First',
    ...lists,
    ...(body as object),
  }))
  return { resource, shared }
}

const first = { id: 1, title: 'First' }

for (const [name, fields] of Object.entries({ empty, filled: lists }))
  scenario(
    `4.1/Optimistic updates/lists in a record/create/${name}`,
    'an expected record has the lists of the body: arrays, maps, with nestKey, in a plain object',
    async (stage) => {
      const { controller, mount, server, settle } = stage
      const { resource } = createNotes(stage)
      const reader = await mount('useSuspense', resource.getList)
      await settle()
      server.hold('POST /note')
      const creating = controller.fetch(resource.create, { title: 'New', ...(fields as object) })
      await settle()
      expect(shown(reader)).toMatchObject([
        { ...first, ...lists },
        { title: 'New', ...fields },
      ])
      server.release('POST /note')
      await creating
      await settle()
      expect(shown(reader)).toMatchObject([
        { ...first, ...lists },
        { id: 9, title: 'New', ...fields },
      ])
      expect(server.requests).toEqual(['GET /note', 'POST /note'])
    },
  )

scenario(
  '4.1/Optimistic updates/lists in a record/change',
  'an expected change of a list in a record is shown, and taken back if the mutation fails',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const { resource } = createNotes(stage)
    const reader = await mount('useSuspense', resource.get, { id: 1 })
    await settle()
    const before = shown(reader)
    server.route('PATCH /note/1', reply.status(500, {}))
    server.hold('PATCH /note/1')
    const failing = controller.fetch(resource.partialUpdate, { id: 1 }, changed)
    await settle()
    expect(shown(reader)).toMatchObject({ ...first, ...changed })
    server.release('PATCH /note/1')
    await expect(failing).rejects.toMatchObject({ status: 500 })
    await settle()
    expect(shown(reader)).toBe(before)
    server.route('PATCH /note/1', reply.status(204))
    await controller.fetch(resource.partialUpdate, { id: 1 }, changed)
    await settle()
    expect(shown(reader)).toMatchObject({ ...first, ...changed })
    expect(server.requests).toEqual(['GET /note/1', 'PATCH /note/1', 'PATCH /note/1'])
  },
)

scenario(
  '4.1/Optimistic updates/lists in a record/envelope',
  'so it is in an envelope, and in an expected response of your own',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const { resource, shared } = createNotes(stage)
    const reader = await mount('useSuspense', resource.get, { id: 1 })
    await settle()
    const wrapped = resource.partialUpdate.extend({ schema: { data: Note }, name: 'Note.wrapped' })
    const own = new RestEndpoint({
      ...shared,
      path: '/note/:id',
      method: 'PATCH',
      body: {},
      schema: Note,
      getOptimisticResponse: optimistic((snapshot: CacheSnapshot, params: { id: number }, body: object) => ({
        ...snapshot.get(Note, params),
        ...params,
        ...body,
      })),
    })
    for (const [endpoint, fields] of [
      [wrapped, changed],
      [own, empty],
    ] as const) {
      server.hold('PATCH /note/1')
      const wrap = (value: object) => (endpoint === wrapped ? { data: value } : value)
      server.route('PATCH /note/1', wrap({ ...first, ...fields }))
      const changing = controller.fetch(endpoint as typeof wrapped, { id: 1 }, fields as object)
      await settle()
      expect(shown(reader)).toMatchObject({ ...first, ...fields })
      server.release('PATCH /note/1')
      await changing
      await settle()
      expect(shown(reader)).toMatchObject({ ...first, ...fields })
    }
    expect(server.requests).toEqual(['GET /note/1', 'PATCH /note/1', 'PATCH /note/1'])
  },
)

scenario(
  '4.1/Optimistic updates/lists in a record/beside',
  'a record that is created in such a list meanwhile stays in it',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const { resource, shared } = createNotes(stage)
    const tag = createResource({ ...shared, path: '/tag/:id', schema: Tag, optimistic })
    server.route('POST /tag', { id: 5, name: 'Five', noteId: 1 })
    const reader = await mount('useSuspense', resource.get, { id: 1 })
    await settle()
    server.hold('PATCH /note/1', 'POST /tag')
    const adding = controller.fetch(tag.create, { name: 'Five', noteId: 1 })
    const changing = controller.fetch(resource.partialUpdate, { id: 1 }, { own: [two] })
    await settle()
    const names = () => (shown(reader) as Note).own.map(({ name }) => name)
    expect(names()).toEqual(['Two'])
    server.release('POST /tag')
    await adding
    await settle()
    expect(names()).toEqual(['Two'])
    server.release('PATCH /note/1')
    await changing
    await settle()
  },
)
