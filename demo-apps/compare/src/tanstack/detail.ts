import { useQuery } from '@tanstack/react-query'
import type { Article, Reading } from '../screen/library.js'
import { queries } from './declare.js'

export function useArticle(id: number): Reading<Article> {
  const { data, error, refetch } = useQuery(queries.detail(id))
  return { data, error, retry: refetch }
}
