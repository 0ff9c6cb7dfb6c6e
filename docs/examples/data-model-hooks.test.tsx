import { Entity, schema } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'
import { useQuery } from '@selfsame/react'
import { createMockController } from '@selfsame/core/testing'
import { renderDataHook } from '@selfsame/react/testing'
import { expect, test } from 'vitest'

class Todo extends Entity {
  id = 0
  userId = 0
  static override key = 'Todo'
}

const getTodos = new RestEndpoint({
  path: '/todo',
  searchParams: {} as { userId?: number },
  schema: new schema.Collection([Todo]),
})

test('useQuery reads a record and a list, whoever fetched them', async () => {
  const controller = createMockController()
  controller.setResponse(getTodos, { userId: 1 }, [{ id: 5, userId: 1 }])
  const { result, unmount } = renderDataHook(
    () => {
      const todo = useQuery(Todo, { id: 5 })
      const todos = useQuery(getTodos.schema, { userId: 1 })
      return { todo, todos }
    },
    { controller },
  )
  expect(result.current.todo?.id).toBe(5)
  expect(result.current.todos?.[0]).toBe(result.current.todo)
  await unmount()
})
