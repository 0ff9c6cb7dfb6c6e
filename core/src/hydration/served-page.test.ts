import { expect, test } from 'vitest'
import { ManualClock } from '../../../conformance/src/clock.js'
import { Observer, callsOf } from '../bindings.js'
import { dehydrate, hydrate } from '../hydration.js'
import { Controller, Entity } from '../index.js'
import { createResource } from '../rest.js'

class Note extends Entity {
  id = 0
  text = ''
  static override key = 'Note'
}
const notes = createResource({ path: '/note/:id', schema: Note })

function openPage() {
  const clock = new ManualClock()
  const server = new Controller({ clock })
  server.setResponse(notes.get, { id: 1 }, { id: 1, text: 'served' })
  server.setResponse(notes.getList, [{ id: 1, text: 'served' }])
  const requests: string[] = []
  const fetch = (target: unknown) => {
    requests.push(String((target as Request).url ?? target))
    return new Promise<Response>(() => {})
  }
  const page = new Controller({ clock, fetch: fetch as typeof globalThis.fetch })
  hydrate(page, JSON.parse(JSON.stringify(dehydrate(server))), { isOfPage: true })
  const find = (endpoint: Parameters<typeof callsOf>[0] | undefined, args: object) =>
    callsOf(page).served?.(endpoint as never, args) as { readonly controller: Controller } | undefined
  /** What a reader that hydrates now shows. */
  const shown = (id: number) => {
    const copy = find(notes.get as never, [{ id }])
    return copy && new Observer<Note>(copy.controller, notes.get, [{ id }]).load().data?.text
  }
  return { clock, find, page, requests, shown }
}

test('there is nothing to keep apart until something is written, however much is read', () => {
  const { page, shown } = openPage()
  page.read(notes.get, { id: 1 })
  page.get(Note, { id: 1 })
  expect(shown(1)).toBeUndefined()
})

const writes: Readonly<Record<string, (page: ReturnType<typeof openPage>) => unknown>> = {
  set: ({ page }) => page.set(Note, { id: 1 }, { text: 'other' }),
  'a response': ({ page }) => page.setResponse(notes.get, { id: 1 }, { id: 1, text: 'other' }),
  'an error': ({ page }) => page.setError(notes.get, { id: 1 }, new Error('failed')),
  invalidation: ({ page }) => page.invalidate(notes.get, { id: 1 }),
  expiry: ({ clock }) => clock.advance(60_000),
  'a list': ({ page }) => page.setResponse(notes.getList, [{ id: 1, text: 'other' }]),
  'state from elsewhere': ({ page }) => {
    const other = new Controller()
    other.setResponse(notes.get, { id: 1 }, { id: 1, text: 'other' })
    hydrate(page, dehydrate(other))
  },
}

for (const [name, write] of Object.entries(writes)) {
  test(`after ${name} readers find what the server showed, and ask for nothing`, async () => {
    const opened = openPage()
    write(opened)
    expect(opened.shown(1)).toBe('served')
    expect(opened.find(notes.get as never, [{ id: 1 }])).toBe(opened.find(notes.get as never, [{ id: 1 }]))
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(opened.requests).toEqual([])
  })
}

test('several calls are found together, and none if the server showed nothing of one', () => {
  const { find, page } = openPage()
  page.set(Note, { id: 1 }, { text: 'other' })
  expect(find(undefined, [[notes.get, { id: 1 }], [notes.getList], [notes.get, null]])).toBeDefined()
  expect(find(undefined, { one: [notes.get, { id: 1 }], two: [notes.get, { id: 2 }] })).toBeUndefined()
  expect(find(undefined, ['no call'])).toBeUndefined()
})

test('what the server showed nothing of is read in the page', () => {
  const { page, shown } = openPage()
  page.set(Note, { id: 2 }, { text: 'other' })
  expect(shown(2)).toBeUndefined()
})

test('a later part of the page is found too', () => {
  const { page, shown } = openPage()
  page.set(Note, { id: 1 }, { text: 'other' })
  expect(shown(3)).toBeUndefined()
  const server = new Controller()
  server.setResponse(notes.get, { id: 3 }, { id: 3, text: 'later' })
  hydrate(page, dehydrate(server), { isOfPage: true })
  expect([shown(1), shown(3)]).toEqual(['served', 'later'])
})

test('nothing of it is left after a reset', () => {
  const { page, shown } = openPage()
  page.set(Note, { id: 1 }, { text: 'other' })
  expect(shown(1)).toBe('served')
  page.resetAll()
  expect(shown(1)).toBeUndefined()
})

test('a reader of it counts as no reader of the page', () => {
  const { find, page } = openPage()
  page.set(Note, { id: 1 }, { text: 'other' })
  const copy = find(notes.get as never, [{ id: 1 }])
  const observer = new Observer(copy?.controller as Controller, notes.get, [{ id: 1 }])
  const release = observer.retain(() => {})
  expect(callsOf(page).readers.size).toBe(0)
  release()
})
