import {
  useDebounce,
  useLast,
  usePrefetch,
  useSelect,
  useStatus,
} from '@selfsame/react'
import { useState } from 'react'
import { todoResource } from './api.js'

export function TodoSearch() {
  const [text, setText] = useState('milk')
  const { value: title, pending: isPending } = useDebounce(text, 300)
  const {
    data = [],
    loading,
    error,
    isLast,
  } = useLast(todoResource.getList, { title })
  return (
    <>
      <input value={text} onChange={({ target }) => setText(target.value)} />
      {loading && 'Loading…'}
      {error?.message}
      <ul className={isPending || isLast ? 'dimmed' : ''}>
        {data.map(({ id }) => (
          <TodoLink key={id} id={id} />
        ))}
      </ul>
    </>
  )
}

export function TodoLink({ id }: { id: number }) {
  const { onIntent } = usePrefetch(todoResource.get, { id })
  const title = useSelect(todoResource.get, (todo) => todo.title, { id })
  const { fetching, stale, pausedOffline } = useStatus(todoResource.get, { id })
  return (
    <li>
      <a href={`/todo/${id}`} ref={onIntent}>
        {title}
      </a>
      {fetching && (pausedOffline ? ' waits for a network' : ' is updated')}
      {stale && ' may be out of date'}
    </li>
  )
}
