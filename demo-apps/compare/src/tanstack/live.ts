import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { urlPrefix } from '../url-prefix.js'
import { queries } from './declare.js'
import { forgetArticle } from './delete.js'
import { showArticle } from './edit.js'

export function useLive(): void {
  const client = useQueryClient()
  useEffect(() => {
    const events = new EventSource(`${urlPrefix}/events?kind=article`)
    events.addEventListener('created', () => client.invalidateQueries({ queryKey: queries.lists }))
    events.addEventListener('updated', ({ data }) => showArticle(client, JSON.parse(data)))
    events.addEventListener('deleted', ({ data }) => forgetArticle(client, JSON.parse(data).id))
    // After a reconnect, refetches what missed messages may have changed.
    let wasLost = false
    events.addEventListener('error', () => (wasLost = true))
    events.addEventListener('open', () => wasLost && client.invalidateQueries({ queryKey: queries.articles }))
    return () => events.close()
  }, [client])
}
