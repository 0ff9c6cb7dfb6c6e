import type { Controller } from '@selfsame/core'
import { authorResource, postResource } from './posts.js'

export async function authorOf(controller: Controller, id: number) {
  const post = await controller.fetchIfStale(postResource.get, { id })
  return await controller.fetchIfStale(authorResource.get, {
    id: post.authorId,
  })
}

export async function publish(controller: Controller, title: string) {
  const before = controller.read(postResource.getList).data?.total
  await controller.fetch(postResource.create, { title })
  const { total } = controller.read(postResource.getList).data ?? {}
  return `${before} posts before, ${total} now`
}
