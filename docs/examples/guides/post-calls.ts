import type { Controller } from '@selfsame/core'
import { authorResource, postResource } from './posts.js'

export async function authorOf(controller: Controller, id: number) {
  const post = await controller.fetchIfStale(postResource.get, { id })
  return await controller.fetchIfStale(authorResource.get, {
    id: post.authorId,
  })
}

export async function publish(controller: Controller, title: string) {
  await controller.fetch(postResource.create, { title })
  // The list has the new post. Only the server knows the new total: fetch it
  // when it is shown next.
  controller.expireAll(postResource.getList)
}

export async function remove(controller: Controller, id: number) {
  await controller.fetch(postResource.delete, { id })
  controller.expireAll(postResource.getList)
}
