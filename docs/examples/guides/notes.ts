import { Entity } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { Account, getMe } from '../session.js'

// The sample of docs/optimistic.md, What the server adds.

export class Note extends Entity {
  id = 0
  text = ''
  author: Account | undefined
  static override key = 'Note'
  static override schema = { author: Account }
}

export const noteResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/note/:id',
  schema: Note,
  optimistic,
})

export const addNote = noteResource.create.extend({
  getOptimisticResponse: optimistic((snapshot, body: { text: string }) => ({
    ...body,
    id: snapshot.temporaryId,
    author: snapshot.read(getMe).data,
  })),
})
