import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expect, test } from 'vitest'
import Detail from '../testing/page/Detail.svelte'
import TitlePage from '../testing/TitlePage.svelte'
import { useDLE } from './index.js'
import { cleanup, render, renderDataHook } from './testing.svelte.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const todoResource = createResource({ path: '/todo/:id', schema: Todo })
const fixtures = [5, 6].map((id) => ({
  endpoint: todoResource.get,
  args: [{ id }] as const,
  response: { id, title: `Todo ${id}` },
}))
const endpoint = todoResource.get

test('render() shows a component that waits, with its props, until it is unmounted', async () => {
  const { container, controller, requests, rerender, settle, unmount } = await render(TitlePage, {
    props: { endpoint, id: 5 },
    fixtures,
  })
  expect(container.textContent).toContain('Todo 5')
  expect(document.body.contains(container)).toBe(true)
  await rerender({ endpoint, id: 6 })
  expect(container.textContent).toContain('Todo 6')
  controller.set(Todo, { id: 6 }, { title: 'Written' })
  await settle()
  expect(container.textContent).toContain('Written')
  expect(requests).toHaveLength(2)
  await unmount()
  expect(document.body.contains(container)).toBe(false)
})

test('render() shows a component that waits without a boundary of its own, and rejects with what it throws', async () => {
  const failing = { endpoint, args: [{ id: 7 }], error: new Error('Offline') } as const
  const options = { fixtures: [...fixtures, failing] }
  const { container, rerender } = await render(Detail, { props: { endpoint, id: 5 }, ...options })
  expect(container.textContent).toContain('Todo 5')
  await rerender({ endpoint, id: 6 })
  expect(container.textContent).toContain('Todo 6')
  await expect(render(Detail, { props: { endpoint, id: 7 }, ...options })).rejects.toThrow('Offline')
  await expect(rerender({ endpoint, id: 7 })).rejects.toThrow('Offline')
  await cleanup()
})

test('cleanup() unmounts what is mounted, once', async () => {
  const { container } = await render(TitlePage, { props: { endpoint, id: 5 }, fixtures })
  const { result, unmount } = renderDataHook(() => useDLE(todoResource.get, { id: 5 }), { fixtures })
  await cleanup()
  expect(document.body.contains(container)).toBe(false)
  expect(() => result.current).toThrow('unmounted')
  await cleanup()
  await unmount()
})
