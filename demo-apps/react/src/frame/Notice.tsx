import { notices } from '@selfsame/demo-shared/application'
import { useSyncExternalStore } from 'react'

/** Tells what the application has done. Always rendered, because screen readers announce only changes of an element. */
export function Notice() {
  const { text, offer } = useSyncExternalStore(notices.subscribe, notices.current, notices.none)
  return (
    <div role="status" className="toast">
      {text !== '' && <span>{text}</span>}
      {offer !== undefined && (
        <button type="button" onClick={offer.run}>
          {offer.name}
        </button>
      )}
    </div>
  )
}
