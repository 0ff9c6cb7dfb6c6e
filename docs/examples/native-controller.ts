import NetInfo from '@react-native-community/netinfo'
import { Controller } from '@selfsame/core'
import {
  pauseOffline,
  refetchOnFocus,
  refetchOnReconnect,
} from '@selfsame/core/policies'
import type { NetworkState, PageState } from '@selfsame/core/policies'
import { AppState } from 'react-native'

const page: PageState = {
  isVisible: () => AppState.currentState === 'active',
  subscribe(listener) {
    const subscription = AppState.addEventListener('change', listener)
    return () => subscription.remove()
  },
}

// The first listener is there for as long as the app.
let isConnected = true
NetInfo.addEventListener((state) => {
  isConnected = state.isConnected !== false
})
const network: NetworkState = {
  isOnline: () => isConnected,
  subscribe: (listener) => NetInfo.addEventListener(listener),
}

export const controller = new Controller({
  middleware: [
    refetchOnFocus({ page }),
    pauseOffline({ network }),
    refetchOnReconnect({ network }),
  ],
})
