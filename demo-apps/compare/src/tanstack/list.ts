import { useQuery } from '@tanstack/react-query'
import type { Filter, ListReading, User } from '../screen/library.js'
import { queries } from './declare.js'

export function useArticles(filter: Filter): ListReading {
  const { data, error, isPlaceholderData, refetch } = useQuery(queries.list(filter))
  return { data, error, isOld: isPlaceholderData, retry: refetch }
}

export function useAuthors(): readonly User[] {
  const { data = [] } = useQuery(queries.users)
  return data
}
