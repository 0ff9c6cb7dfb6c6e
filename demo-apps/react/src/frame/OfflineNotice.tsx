import { browserNetwork } from '@selfsame/core/policies'
import { waitingText } from '@selfsame/demo-shared/application'
import { useOutbox } from '@selfsame/react'
import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => browserNetwork.subscribe(listener)
const isOnline = () => browserNetwork.isOnline()

/** Always rendered, because screen readers announce only changes of an element. */
export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, isOnline, () => true)
  const { mutations } = useOutbox()
  return (
    <div className="offline">
      <p role="status">{online ? '' : 'You are offline. You can still read what has loaded.'}</p>
      <p role="status">{waitingText(mutations, online)}</p>
    </div>
  )
}
