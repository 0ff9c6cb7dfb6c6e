import type { Controller } from '@selfsame/core'
import { useDLE } from '@selfsame/svelte'
import { todoResource } from './api.js'

export function createTodoStore(controller: Controller) {
  let userId = $state(1)
  const todos = useDLE(todoResource.getList, () => ({ userId }), { controller })
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
    complete: (id: number) => controller.fetch(todoResource.partialUpdate, { id }, { completed: true }),
  }
}
