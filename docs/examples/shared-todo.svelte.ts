import { Controller } from '@selfsame/core'
import { useSuspense, withOptions } from '@selfsame/svelte'
import { todoResource } from './api.js'

export const controller = new Controller()

export const todo = useSuspense(withOptions(todoResource.get, { controller }), {
  id: 5,
})
