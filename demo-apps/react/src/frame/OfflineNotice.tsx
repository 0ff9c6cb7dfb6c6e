import { browserNetwork } from '@selfsame/core/policies'
import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => browserNetwork.subscribe(listener)
const isOnline = () => browserNetwork.isOnline()

/** Always rendered, because screen readers announce only changes of an element. */
export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, isOnline, () => true)
  return (
    <p role="status" className="offline">
      {online ? '' : 'You are offline. What was loaded can still be read.'}
    </p>
  )
}
