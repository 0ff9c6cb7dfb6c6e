import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expect, test } from 'vitest'
import { defineComponent, h } from 'vue'
import { AsyncBoundary, useDLE, useSuspense } from './index.js'
import { cleanup, render, renderDataHook } from './testing.js'

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

const Title = defineComponent({
  props: { id: { type: Number, required: true } },
  async setup(props) {
    const todo = await useSuspense(todoResource.get, () => ({ id: props.id }))
    return () => h('h1', todo.value.title)
  },
})
const Page = defineComponent({
  props: { id: { type: Number, required: true } },
  setup: (props) => () => h(AsyncBoundary, null, { default: () => h(Title, { id: props.id }) }),
})

test('render() shows a component that waits, with its props, until it is unmounted', async () => {
  const { container, controller, requests, rerender, settle, unmount } = await render(Page, {
    props: { id: 5 },
    fixtures,
  })
  expect(container.textContent).toBe('Todo 5')
  expect(document.body.contains(container)).toBe(true)
  await rerender({ id: 6 })
  expect(container.textContent).toBe('Todo 6')
  controller.set(Todo, { id: 6 }, { title: 'Written' })
  await settle()
  expect(container.textContent).toBe('Written')
  expect(requests).toHaveLength(2)
  await unmount()
  expect(document.body.contains(container)).toBe(false)
})

test('render() shows a component that waits without a boundary of its own, and rejects with what it throws', async () => {
  const failing = { endpoint: todoResource.get, args: [{ id: 7 }], error: new Error('Offline') } as const
  const options = { fixtures: [...fixtures, failing] }
  const { container, rerender } = await render(Title, { props: { id: 5 }, ...options })
  expect(container.textContent).toBe('Todo 5')
  await rerender({ id: 6 })
  expect(container.textContent).toBe('Todo 6')
  await expect(render(Title, { props: { id: 7 }, ...options })).rejects.toThrow('Offline')
  await expect(rerender({ id: 7 })).rejects.toThrow('Offline')
  await cleanup()
})

test('cleanup() unmounts what is mounted, once', async () => {
  const { container } = await render(Page, { props: { id: 5 }, fixtures })
  const { result, unmount } = renderDataHook(() => useDLE(todoResource.get, { id: 5 }).data, { fixtures })
  await cleanup()
  expect(document.body.contains(container)).toBe(false)
  expect(() => result.current).toThrow('unmounted')
  await cleanup()
  await unmount()
})
