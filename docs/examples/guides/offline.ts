import { Controller } from '@selfsame/core'
import { pauseOffline, refetchOnReconnect } from '@selfsame/core/policies'
import type { NetworkState } from '@selfsame/core/policies'
import { todoResource } from '../api.js'

export function createController(network?: NetworkState) {
  const controller = new Controller({
    middleware: [pauseOffline({ network }), refetchOnReconnect({ network })],
  })
  return controller
}
