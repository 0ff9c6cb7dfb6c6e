import { Todo } from '@selfsame/conformance'
import { Query, schema } from '@selfsame/core'
import { get, writable } from 'svelte/store'
import { expect, test } from 'vitest'
import { createStage } from '../testing/stage.js'
import { useQuery } from './index.js'
import type { QueryHandle } from './index.js'

const all = new schema.All(Todo)
const titles = new Query(all, (todos) => todos.map(({ title }) => title).join())

test('throws what the function of a Query throws at each read, until its data is mended', async () => {
  const { api, controller, mount, settle } = createStage()
  await controller.fetch(api.todo.get, { id: 5 })
  let handle: QueryHandle<string> | undefined
  let shown: unknown
  mount(() => {
    const trimmed = (handle = useQuery(
      new Query(all, (todos) => todos.map(({ title }) => title.trim()).join()),
    ))
    return () => {
      try {
        shown = trimmed.current
      } catch (error) {
        shown = error
      }
      return ''
    }
  })
  controller.set(Todo, { id: 5 }, { title: 5 } as never)
  await settle()
  for (let time = 0; time < 2; time++) expect(() => handle?.current).toThrow('trim')
  expect(shown).toBeInstanceOf(TypeError)
  controller.set(Todo, { id: 5 }, { title: 'Mended' })
  await settle()
  expect([shown, handle?.current]).toEqual(['Mended', 'Mended'])
})

test('takes a class, a getter or a store of a queryable, and is a store', async () => {
  const { api, controller, mount, screen, settle } = createStage()
  await controller.fetch(api.todo.get, { id: 5 })
  const chosen = writable<typeof titles>(titles)
  let handle: QueryHandle<Todo> | undefined
  mount(() => {
    const byClass = (handle = useQuery(Todo, { id: 5 }))
    const byGetter = useQuery(() => Todo, { id: 5 })
    const byStore = useQuery(chosen)
    return () => [byClass.current?.title, byGetter.current?.title, byStore.current].join(', ')
  })
  await settle()
  expect(screen()).toBe('Todo 5, Todo 5, Todo 5')
  chosen.set(new Query(all, (todos) => `${todos.length} of them`))
  await settle()
  expect(screen()).toBe('Todo 5, Todo 5, 1 of them')
  expect(handle && get(handle)).toBe(controller.get(Todo, { id: 5 }))
})
