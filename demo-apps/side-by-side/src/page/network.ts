import type { NetworkState } from '@selfsame/core/policies'

const place = 'side-by-side.offline'
const listeners = new Set<() => void>()

/** The network of this page as the switch "Offline" sets it: the same in all windows, and after a reload. */
export const network = {
  isOnline: () => localStorage.getItem(place) === null,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  set(isOnline: boolean) {
    if (isOnline) localStorage.removeItem(place)
    else localStorage.setItem(place, '')
    tell()
  },
} satisfies NetworkState & { set(isOnline: boolean): void }

function tell(): void {
  for (const listener of listeners) listener()
}

// Another window has set it.
if (typeof addEventListener === 'function')
  addEventListener('storage', ({ key }) => {
    if (key === place || key === null) tell()
  })
