import { Controller } from '@selfsame/core'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from './testing-network.js'
import { Todo, todoResource } from './todo-list.js'

// The samples of docs/controller.md that stand in no longer story.

afterEach(() => vi.unstubAllGlobals())

async function open() {
  serve({
    'GET /todo/5': { id: 5, title: 'Write' },
    'GET /todo': [{ id: 5, title: 'Write' }],
  })
  vi.stubGlobal('location', new URL('https://api.example.com'))
  const controller = new Controller()
  await controller.fetch(todoResource.getList)
  return controller
}

test('a call is read, and listened to', async () => {
  const controller = await open()
  const render = vi.fn<(title: string | undefined) => void>()
  const todo = await controller.fetch(todoResource.get, { id: 5 })
  const { data, error, status } = controller.read(todoResource.get, { id: 5 })
  const end = controller.subscribe(todoResource.get, { id: 5 }, ({ data }) =>
    render(data?.title),
  )
  expect([data, error, status]).toEqual([todo, undefined, 'Valid'])
  controller.set(Todo, { id: 5 }, { title: 'Rewrite' })
  expect(render).toHaveBeenCalledWith('Rewrite')
  end()
})

test('calls are made Invalid or Stale', async () => {
  const controller = await open()
  controller.invalidate(todoResource.get, { id: 5 })
  expect(controller.read(todoResource.get, { id: 5 }).status).toBe('Invalid')
  controller.invalidateAll(todoResource.getList)
  expect(controller.read(todoResource.getList).status).toBe('Invalid')
  await controller.fetch(todoResource.getList)
  controller.expireAll(todoResource.getList)
  expect(controller.read(todoResource.getList).status).toBe('Stale')
  controller.resetAll()
  expect(controller.get(Todo, { id: 5 })).toBeUndefined()
})
