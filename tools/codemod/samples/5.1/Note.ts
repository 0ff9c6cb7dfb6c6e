import type { Resource } from '@rest-hooks/rest'
import { useSuspense } from 'rest-hooks'
import { Base } from './Base.js'

export class Note extends Base {
  readonly text: string = ''

  static override urlRoot = 'https://api.example.com/note'

  static override create<T extends typeof Resource>(this: T) {
    return super
      .create()
      .extend({ schema: this, optimisticUpdate: (params: object, body: Partial<Note>) => body })
  }

  static override partialUpdate<T extends typeof Resource>(this: T) {
    return super.partialUpdate().extend({
      schema: this,
      optimisticUpdate: (params: { id: number }, body: Partial<Note>) => ({ id: params.id, ...body }),
    })
  }
}

export class Draft extends Note {
  readonly draft: boolean = true

  static override urlRoot = 'https://api.example.com/draft'
}

export function useText(id: number): string {
  return (
    useSuspense(Note.detail(), { id }).text +
    useSuspense(Draft.list(), {})
      .map(({ draft }) => draft)
      .join()
  )
}
