import type { Progress } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import type { Ref } from 'vue'
import { useProgress } from './index.js'

const upload = new RestEndpoint({ path: '/user/:id/avatar', method: 'PUT', body: {} as Blob })
const send = new RestEndpoint({ path: '/file', method: 'POST', body: {} as Blob })

test('names a call by its params, with or without its body', () => {
  expectTypeOf(useProgress(upload, () => ({ id: 5 }))).toEqualTypeOf<Readonly<Ref<Progress | undefined>>>()
  useProgress(upload, { id: 5 }, new Blob())
  useProgress(upload, { id: 5 }, undefined)
  useProgress(upload, () => ({ id: 5 }), undefined)
  useProgress(upload, null)
  useProgress(send, {})
  useProgress(send)
  // @ts-expect-error the path needs an id
  useProgress(upload)
  // @ts-expect-error and has no other name
  useProgress(upload, { name: 'a' })
})
