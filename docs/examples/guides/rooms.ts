import { Entity } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { bidirectional, createResource } from '@selfsame/core/rest'

export class Message extends Entity {
  id = 0
  room = 0
  text = ''
  static override key = 'Message'
}

export const messageResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/message/:id',
  schema: Message,
})

export const getMessages = bidirectional(messageResource.getList, {
  previous: 'before',
})

export async function loadOlder(controller: Controller, room: number) {
  const [first] = await controller.fetchIfStale(getMessages, { room })
  if (first === undefined) return
  await controller.fetch(getMessages.getPreviousPage, {
    room,
    before: first.id,
  })
}
