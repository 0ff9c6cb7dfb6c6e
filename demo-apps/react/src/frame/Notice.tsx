import { notices } from '@selfsame/demo-shared/application'
import { useSyncExternalStore } from 'react'

/** Tells what the application has done. Always rendered, because screen readers announce only changes of an element. */
export function Notice() {
  const text = useSyncExternalStore(notices.subscribe, notices.current, () => '')
  return (
    <p role="status" className="toast">
      {text}
    </p>
  )
}
