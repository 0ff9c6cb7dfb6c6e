import { Endpoint, Entity, schema } from '@selfsame/core'
import { connect } from '@selfsame/core/live'
import { RestEndpoint } from '@selfsame/core/rest'
import { expect } from 'vitest'
import { InEachRender } from '../contract.js'
import { todoFields } from '../fixtures.js'
import { baseUrl } from '../server.js'
import type { ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// Warnings on the console that name a probable mistake: each once, with its remedy, and none for code that is right.

function withResolvers() {
  let resolve!: () => void
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

/** An endpoint whose answers come at once, up to a number: then a loop of requests stands still. */
function createClock(name: string) {
  const asked: number[] = []
  const { promise: ended, resolve: end } = withResolvers()
  const endpoint = new Endpoint(
    async ({ now }: { readonly now: number; readonly zone: string }) => {
      asked.push(now)
      if (asked.length > 8) await ended
      return { time: `at ${now}` }
    },
    { name },
  )
  return { endpoint, asked, end }
}

for (const hook of ['useSuspense', 'useDLE'] as const) {
  scenario(
    `warnings/arguments/${hook}`,
    'arguments that differ in each render are one warning that names the argument, where each answer causes the next request',
    async ({ driver, logged, mount, settle }) => {
      const { endpoint, asked, end } = createClock(`clock of ${hook}`)
      let now = 0
      const reader = await mount(hook, endpoint, new InEachRender(() => ({ now: ++now, zone: 'UTC' })))
      for (let round = 0; round < 12; round++) await settle()
      // React makes the arguments of a component again because its data came. Without async mode, a boundary of Svelte makes the
      // content again that had to wait. Elsewhere only a change of what the arguments depend on makes them again.
      const isLoop = driver.startsWith('react') || (driver === 'svelte' && hook === 'useSuspense')
      const warned = logged.splice(0).filter((text) => text.startsWith('[selfsame]'))
      expect(warned).toHaveLength(isLoop ? 1 : 0)
      if (isLoop) {
        expect(asked.length).toBeGreaterThan(3)
        expect(warned[0]).toContain(`clock of ${hook} is read with a new value of "now" in each render`)
        expect(warned[0]).toContain('docs/development.md#warnings')
      } else {
        expect(asked).toHaveLength(1)
        const changes = 3
        for (let change = 0; change < changes; change++) {
          await reader.rerender()
          for (let round = 0; round < 4; round++) await settle()
        }
        expect(asked.length).toBeLessThanOrEqual(1 + changes)
      }
      await reader.unmount()
      end()
      await settle()
      // Svelte warns of a getter whose value has changed without a reason, and that is read once more at the end.
      logged.splice(0, logged.length, ...logged.filter((text) => !text.includes('derived_inert')))
    },
    { isAlone: 'It renders without end.' },
  )
}

scenario(
  'warnings/arguments/search',
  'a field that is typed into quickly or slowly, pages and prefetched calls are no warning',
  async ({ api, mount, pass, server, settle }) => {
    for (let id = 1; id < 20; id++) server.route(`GET /todo/${id}`, todoFields(id))
    const reader = await mount('useDLE', api.todo.get, { id: 1 })
    for (let id = 2; id < 8; id++) {
      await reader.change({ id })
      await settle()
    }
    for (let id = 8; id < 14; id++) {
      server.hold(`GET /todo/${id}`)
      await reader.change({ id })
      await pass(30)
    }
    server.release()
    await settle()
    for (let id = 14; id < 19; id++) {
      const each = await mount('useSuspense', api.todo.get, { id })
      await settle()
      await each.unmount()
    }
  },
)

class Note extends Entity {
  id = 0
  text = ''
  group = ''
  static override key = 'Note'
}

/** A list of notes and a create, as they are declared by hand. */
function createNotes({ server }: Stage, list: 'plain' | 'Collection') {
  const shared = {
    urlPrefix: baseUrl,
    path: '/note',
    searchParams: {} as { readonly group?: string; readonly q?: string } | undefined,
    fetchResponse: (url: string, init: RequestInit) => server.fetch(url, init),
  } as const
  const notes = new schema.Collection([Note])
  const getList = new RestEndpoint({
    ...shared,
    name: 'getNotes',
    schema: list === 'plain' ? [Note] : notes,
  })
  const create = new RestEndpoint({
    ...shared,
    method: 'POST',
    name: 'createNote',
    schema: Note,
    body: {} as { readonly text: string; readonly group?: string },
  })
  const stored = [{ id: 1, text: 'First', group: 'a' }]
  server.route('GET /note', () => stored)
  server.route('GET /note?group=b', [{ id: 9, text: 'Ninth', group: 'b' }])
  server.route('GET /note?q=i', [{ id: 9, text: 'Ninth', group: 'b' }])
  server.route('POST /note', ({ body }: ServerRequest) => {
    const note = { group: 'a', ...(body as { readonly text: string }), id: stored.length + 1 }
    stored.push(note)
    return note
  })
  return { getList, create, push: create.extend({ name: 'pushNote', schema: notes.push }) }
}

scenario(
  'warnings/create/plain list',
  'a created record that joins no list, because the list on screen is no Collection, is one warning',
  async (stage) => {
    const { controller, logged, mount, settle } = stage
    const { getList, create } = createNotes(stage, 'plain')
    await mount('useSuspense', getList)
    await settle()
    for (const text of ['Second', 'Third']) {
      await controller.fetch(create, { text })
      await settle()
    }
    const warned = logged.splice(0)
    expect(warned).toHaveLength(1)
    expect(warned[0]).toContain('createNote created a Note that joined no list')
    expect(warned[0]).toContain('The list has a plain schema, `[Note]`')
    expect(warned[0]).toContain('docs/development.md#warnings')
  },
)

scenario(
  'warnings/create/record schema',
  'a created record that joins no list, because its endpoint does not name the Collection, is a warning',
  async (stage) => {
    const { controller, logged, mount, settle } = stage
    const { getList, create } = createNotes(stage, 'Collection')
    await mount('useDLE', getList)
    await settle()
    await controller.fetch(create, { text: 'Second' })
    await settle()
    const warned = logged.splice(0)
    expect(warned).toHaveLength(1)
    expect(warned[0]).toContain('The list is a Collection, but the schema of createNote is the record alone')
  },
)

scenario(
  'warnings/create/none',
  'a created record is no warning where it joined a list, the list is fetched again or gone, or says nothing of it',
  async (stage) => {
    const { controller, mount, settle } = stage
    const { getList, create, push } = createNotes(stage, 'Collection')
    // Other lists, which the record does not belong to.
    const other = await mount('useDLE', getList, { group: 'b' })
    await mount('useDLE', getList, { q: 'i' })
    await settle()
    await controller.fetch(create, { text: 'Of another group' })
    await settle()
    await other.unmount()
    const list = await mount('useDLE', getList)
    await settle()
    await controller.fetch(push, { text: 'Pushed' })
    await settle()
    await controller.fetch(create, { text: 'Then Stale' })
    controller.expireAll(getList)
    await settle()
    await controller.fetch(create, { text: 'Then Invalid' })
    controller.invalidateAll(getList)
    await settle()
    await controller.fetch(create, { text: 'Then fetched' })
    await controller.fetch(getList)
    await settle()
    // A record that was known is not created.
    controller.set(Note, { id: 7 }, { id: 7, text: 'Known' })
    await controller.fetch(create, { text: 'Known' })
    await settle()
    await list.unmount()
    await controller.fetch(create, { text: 'Nobody looks' })
    await settle()
  },
)

/** The option of an endpoint whose stream sends nothing. */
const silent = { stream: () => () => {} }

scenario(
  'warnings/create/live',
  'a live connection silences the warning of a created record only for lists that it may bring the record to',
  async (stage) => {
    const { api, controller, logged, mount, settle } = stage
    const { getList, create } = createNotes(stage, 'plain')
    await mount('useDLE', getList)
    const createBy = async (name: string) => {
      await controller.fetch(create.extend({ name }), { text: name })
      await settle()
      return logged.splice(0).map((text) => text.includes(`${name} created a Note that joined no list`))
    }
    // Of the list itself: by polling, or by a stream.
    for (const own of [getList.extend({ pollFrequency: 5000 }), getList.extend(silent)]) {
      const end = connect(controller, own)
      await settle()
      expect(await createBy('covered')).toEqual([])
      end()
    }
    // A stream of another list of the class, or of nothing that is known.
    const getOthers = getList.extend({ name: 'getOthers', path: '/note/others' })
    stage.server.route('GET /note/others', [{ id: 9, text: 'Ninth', group: 'b' }])
    await controller.fetch(getOthers)
    for (const other of [
      getOthers.extend(silent),
      new Endpoint(async () => 'unknown', { name: 'events', ...silent }),
    ]) {
      const end = connect(controller, other)
      expect(await createBy('maybe covered')).toEqual([])
      end()
    }
    // Connections that do not bring notes, and one that has ended.
    await controller.fetch(api.todo.get, { id: 5 })
    const ends = [
      connect(controller, api.todo.get.extend({ pollFrequency: 5000 }), { id: 5 }),
      connect(controller, api.todo.get.extend(silent), { id: 5 }),
      connect(controller, getOthers.extend({ pollFrequency: 5000 })),
    ]
    expect(await createBy('not covered')).toEqual([true])
    for (const end of ends) end()
    await settle()
  },
)

scenario(
  'warnings/two Controllers',
  'a mutation of a Controller without readers, while another one is on screen, is one warning, which names the endpoint',
  async ({ api, logged, mount, open, server, settle }) => {
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const { controller: other } = open()
    // It shares no records with what is on screen.
    await other.fetch(api.user.get, { id: 1 })
    expect(logged).toEqual([])
    await other.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Changed' })
    await other.fetch(api.todo.getList)
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('Two Controllers on this page have records of "Todo".')
    expect(logged[0]).toContain('Todo.partialUpdate wrote to one without readers.')
    expect(server.requests).toHaveLength(4)
  },
  { isLogged: true },
)

scenario(
  'warnings/two Controllers/each with readers',
  'two Controllers that are both on screen, or neither, are no warning',
  async ({ api, controller, logged, mount, open, settle }) => {
    const other = open()
    await controller.fetch(api.todo.get, { id: 5 })
    await other.controller.fetch(api.todo.get, { id: 5 })
    await mount('useSuspense', api.todo.get, { id: 5 })
    await other.mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'a' })
    await other.controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'b' })
    await settle()
    expect(logged).toEqual([])
  },
)

for (const hook of ['useSuspense', 'useDLE', 'useFetch', 'useLive'] as const) {
  scenario(
    `warnings/summary/${hook}`,
    `${hook} that a summary answers is one warning for its class, which names the fields, and a whole record is none`,
    async ({ api, controller, logged, mount, server, settle }) => {
      class Article extends Entity {
        id = 0
        title = ''
        content = ''
        static override key = `${hook} Article`
      }
      const get = api.todo.get.extend({ schema: Article, name: 'getArticle', pollFrequency: 1_000_000 })
      controller.set(Article, { id: 1 }, { title: 'One', content: 'Text' })
      await mount(hook, get, { id: 1 })
      await settle()
      expect(logged).toEqual([])
      for (const id of [2, 3]) controller.set(Article, { id }, { title: 'Summary' })
      for (const id of [2, 3]) await mount(hook, get, { id })
      await settle()
      expect(logged).toHaveLength(1)
      expect(logged[0]).toContain(
        `getArticle (GET /todo/:id) sent no request: the ${hook} Article was in the cache, without "content"`,
      )
      expect(server.requests).toEqual([])
    },
    { isLogged: true },
  )
}
