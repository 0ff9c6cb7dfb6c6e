import { debounced } from '@selfsame/core'
import { useCache, useFetch } from '@selfsame/svelte'
import { articleResource } from './article-api.js'

const searchArticles = debounced(articleResource.getList, { delayMs: 300 })

/** The state of a search field. */
export function createSearch() {
  let text = $state('a')
  const found = useCache(searchArticles, () => ({ text }))
  useFetch(searchArticles, () => ({ text }))
  return {
    get found() {
      return found.current
    },
    type(next: string) {
      text = next
    },
  }
}
