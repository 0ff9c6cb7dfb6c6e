import { useOutbox } from '@selfsame/react'

export function PendingChanges() {
  const { mutations, retry, drop } = useOutbox()
  const failed = mutations.filter(({ status }) => status === 'failed')
  return (
    <section>
      <p role="status">{mutations.length - failed.length} changes wait</p>
      {failed.map(({ id, endpoint, error, reason }) => (
        <p key={id}>
          {endpoint}:{' '}
          {reason === 'answer-lost'
            ? 'This may have been saved. Look before you send it again.'
            : error?.message}{' '}
          <button onClick={() => retry(id)}>Try again</button>
          <button onClick={() => drop(id)}>Discard</button>
        </p>
      ))}
    </section>
  )
}
