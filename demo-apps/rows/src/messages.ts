import { Controller, Entity } from '@selfsame/core'
import { bidirectional, createResource } from '@selfsame/core/rest'

export class Message extends Entity {
  id = 0
  text = ''
  static override key = 'Message'
}

const newestId = 400
const pageLength = 20
const answerMs = 400

/** A text of some length, the same for each id. */
const textOf = (id: number) => `Message ${id}${', and what there is to say of it'.repeat((id * 7) % 6)}.`

/** Answers in place of a server: the newest messages, or those before one. */
async function answer(url: string): Promise<Response> {
  const before = new URL(url, location.href).searchParams.get('before')
  const end = before === null ? newestId + 1 : Number(before)
  const first = Math.max(1, end - pageLength)
  await new Promise((resolve) => setTimeout(resolve, answerMs))
  const ids = Array.from({ length: end - first }, (_, index) => first + index)
  return Response.json(ids.map((id) => ({ id, text: textOf(id) })))
}

const messageResource = createResource({ path: '/message/:id', schema: Message, fetchResponse: answer })

/** The messages of a chat, which starts at the newest. */
export const getMessages = bidirectional(messageResource.getList, { previous: 'before' })

export const controller = new Controller()
let latest = newestId

/** Stores a message, as a live connection would. */
export function receiveMessage(): void {
  latest++
  controller.set(getMessages.schema.push, {}, { id: latest, text: textOf(latest) })
}
