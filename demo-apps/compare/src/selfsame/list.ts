import { useController, useDLE, useLast } from '@selfsame/react'
import type { Filter, ListReading, User } from '../screen/library.js'
import { articleResource, userResource } from './declare.js'

export function useArticles(filter: Filter): ListReading {
  const controller = useController()
  const { data, error, isLast } = useLast(articleResource.getList, filter)
  return { data, error, isOld: isLast, retry: () => controller.fetch(articleResource.getList, filter) }
}

export function useAuthors(): readonly User[] {
  const { data = [] } = useDLE(userResource.getList)
  return data
}
