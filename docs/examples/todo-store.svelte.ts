import type { Controller } from '@selfsame/core'
import { useDLE, withOptions } from '@selfsame/svelte'
import { todoResource } from './api.js'

export function createTodoStore(controller: Controller) {
  let userId = $state(1)
  const todos = useDLE(
    withOptions(todoResource.getList, { controller }),
    () => ({ userId }),
  )
  const open = $derived(todos.data?.filter(({ completed }) => !completed) ?? [])

  return {
    get loading() {
      return todos.loading
    },
    get open() {
      return open
    },
    show(next: number) {
      userId = next
    },
    complete: (id: number) =>
      controller.fetch(todoResource.partialUpdate, { id }, { completed: true }),
  }
}
