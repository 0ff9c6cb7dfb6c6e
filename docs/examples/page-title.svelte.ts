import type { Controller } from '@selfsame/core'
import { useCache, withOptions } from '@selfsame/svelte'
import { todoResource } from './api.js'

/**
 * Shows the title of a todo in the tab of the browser. @returns a function that
 * ends it
 */
export function followTitle(controller: Controller, id: number): () => void {
  return $effect.root(() => {
    const todo = useCache(withOptions(todoResource.get, { controller }), { id })
    $effect(() => {
      document.title = todo.current?.title ?? ''
    })
  })
}
