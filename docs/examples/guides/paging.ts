import type { Controller } from '@selfsame/core'
import { todoResource } from '../api.js'

export const readPage = (controller: Controller, page: number) =>
  controller.fetchIfStale(todoResource.getList, { page })

export async function loadMore(controller: Controller) {
  const todos = await controller.fetchIfStale(todoResource.getList)
  await controller.fetch(todoResource.getList.getPage, {
    cursor: todos.at(-1)?.id ?? 0,
  })
  return controller.read(todoResource.getList).data
}

export const addInFront = (controller: Controller, title: string) =>
  controller.fetch(todoResource.getList.unshift, { title })
