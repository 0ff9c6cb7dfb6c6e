import { Controller } from '@selfsame/core'
import { expect, test } from 'vitest'
import { addNote, noteResource } from './guides/notes.js'
import { getMe } from './session.js'

// docs/optimistic.md, Temporary ids.

const { get, getList } = noteResource

function createStage() {
  const sent: string[] = []
  const controller = new Controller({
    fetch: async (url, init) => {
      sent.push(`${init?.method ?? ''} ${new URL(String(url)).pathname}`)
      return Response.json({ id: 7, text: 'New', author: { id: 1 } })
    },
  })
  controller.setResponse(getMe, { id: 1, name: 'Ann' })
  controller.setResponse(getList, [{ id: 5, text: 'Old' }])
  const added = controller.fetch(addNote, { text: 'New' })
  const id = String(controller.read(getList).data?.[1]?.id)
  return { controller, sent, added, id }
}

test('a text of an address names a record, also while it is created', async () => {
  const { controller, sent, added, id } = createStage()
  expect(controller.read(get, { id: '5' }).data?.id).toBe(5)
  expect(id).toMatch(/^new-/)
  expect(encodeURIComponent(id)).toBe(id)
  const end = controller.subscribe(get, { id }, () => {})
  expect(controller.read(get, { id }).data?.id).toBe(id)
  await added
  expect(controller.read(get, { id }).data?.id).toBe(7)
  expect(controller.read(get, { id: '7' }).status).toBe('Valid')
  expect(controller.read(get, { id }).data).toBe(
    controller.read(get, { id: '7' }).data,
  )
  expect(sent).toEqual(['POST /note'])
  end()
  controller.dispose()
})

test('what the server adds is shown early', async () => {
  const { controller, added } = createStage()
  const author = () => controller.read(getList).data?.[1]?.author?.name
  expect(author()).toBe('Ann')
  await added
  expect(author()).toBe('Ann')
  controller.dispose()
})
