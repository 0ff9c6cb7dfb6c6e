// RoomMessages.tsx
import { useInfinite } from '@selfsame/react'
import { getMessages } from './rooms.js'

export function RoomMessages({ id }: { id: number }) {
  const { data, error, hasPrevious, isFetchingPrevious, fetchPrevious } =
    useInfinite(
      getMessages,
      { room: id },
      { previous: (messages) => ({ before: messages[0]?.id }) },
    )
  return (
    <>
      {hasPrevious && (
        <button disabled={isFetchingPrevious} onClick={fetchPrevious}>
          Older messages
        </button>
      )}
      {error && <p role="alert">{error.message}</p>}
      <ol>
        {data?.map((message) => (
          <li key={message.id}>{message.text}</li>
        ))}
      </ol>
    </>
  )
}
