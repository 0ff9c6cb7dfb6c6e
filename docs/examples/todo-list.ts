import { Entity } from '@selfsame/core'
import type { Controller, ReadResult } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'

export class Todo extends Entity {
  id = 0
  title = ''
  done = false
  votes = 0
  static override key = 'Todo'
}

export const todoResource = createResource({
  path: '/todo/:id',
  schema: Todo,
  optimistic,
})

/**
 * Shows all todos as lines of text, now and whenever one of them changes.
 * @returns a function that ends it
 */
export function showTodos(
  controller: Controller,
  show: (lines: readonly string[]) => void,
): () => void {
  const draw = ({ data, error }: ReadResult<Todo[]>) => {
    if (data !== undefined)
      show(data.map(({ title, done }) => `${done ? '✓' : '○'} ${title}`))
    else show([error === undefined ? 'Loading' : error.message])
  }
  const end = controller.subscribe(todoResource.getList, draw)
  draw(controller.read(todoResource.getList))
  // An error is stored as well, so that `draw` shows it.
  controller.fetchIfStale(todoResource.getList).catch(() => {})
  return end
}

/**
 * Marks a todo as done, or as open again. Shown at once; taken back when the
 * server refuses.
 */
export async function toggle(
  controller: Controller,
  id: number,
): Promise<void> {
  const todo = controller.get(Todo, { id })
  if (todo !== undefined)
    await controller.fetch(
      todoResource.partialUpdate,
      { id },
      { done: !todo.done },
    )
}
