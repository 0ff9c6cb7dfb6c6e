import { Controller } from '@selfsame/core'
import { useSuspense } from '@selfsame/svelte'
import { todoResource } from './api.js'

export const controller = new Controller()

export const todo = useSuspense(todoResource.get, { id: 5 }, { controller })
