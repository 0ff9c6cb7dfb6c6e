import { schema } from '@selfsame/core'
import { eventSource } from '@selfsame/core/live'
import { useSubscription } from '@selfsame/react'
import type { Filter } from '../screen/library.js'
import { urlPrefix } from '../url-prefix.js'
import { Article, articleResource } from './declare.js'

const changes = eventSource(`${urlPrefix}/events?kind=article`, {
  events: ['created', 'updated', 'deleted'],
})
const { getList } = articleResource
const getLiveList = getList.extend({
  stream: changes.stream({
    schemas: { created: getList.schema.push, updated: Article, deleted: new schema.Delete(Article) },
  }),
})

export function useLive(filter: Filter): void {
  useSubscription(getLiveList, filter)
}
