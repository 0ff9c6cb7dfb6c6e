import type { Controller } from '@selfsame/core'
import { getLabels, userResource } from '../api.js'

/**
 * Fetches what the fields and filters of a screen offer, so that the page of a server has it.
 *
 * @param path - the path below the base; other screens need nothing
 */
export async function fetchChoices(controller: Controller, path: string): Promise<void> {
  const isOfTracker = /^\/(issues)?([/?]|$)/.test(path)
  if (!isOfTracker && !path.startsWith('/articles')) return
  // Without them the page asks for them itself.
  await Promise.allSettled([
    controller.fetch(userResource.getList),
    isOfTracker && controller.fetch(getLabels),
  ])
}
