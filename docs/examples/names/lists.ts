import { RestEndpoint } from '@selfsame/core/rest'
import { Article } from './entities.js'

/** A list of pages. */
export const getList = new RestEndpoint({
  path: '/article',
  searchParams: {} as { author?: number },
  schema: [Article],
})
