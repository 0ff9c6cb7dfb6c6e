import type { Boundary, Observer, Reading } from '@selfsame/core'
import { ErrorCodes, getCurrentInstance, handleError, hasInjectionContext, inject } from 'vue'
import { boundaryKey } from './context.js'

/** How a reader tells what it does. */
export interface Report {
  tell(observer: Observer, reading: Reading): void
  /** It leaves the screen: for good, or until `KeepAlive` activates it again. */
  leave(isForGood: boolean): void
}

/** Tells what a reader does to the boundaries around it; an error that none of them shows, to Vue. */
export function useReport(): Report {
  const context = hasInjectionContext() ? inject(boundaryKey, undefined) : undefined
  const instance = getCurrentInstance()
  const attempt = context?.attempt ?? 0
  const reader = {}
  let told: Boundary | undefined
  let wasReady = false
  let isWaiting = false

  const forget = () => {
    told?.leave(reader)
    told = undefined
  }
  const tell = (observer: Observer, reading: Reading) => {
    const boundary = reading.state === 'failed' ? context?.failing : context?.waiting
    if (boundary !== told) forget()
    told = boundary
    boundary?.report(reader, observer, reading)
    isWaiting = reading.state === 'waiting'
    if (reading.state === 'waiting' && reading.dropsLast && wasReady) context?.renew()
    if (reading.state === 'ready') wasReady = true
    // Before that it is thrown where the handle is awaited.
    if (reading.state === 'failed' && boundary === undefined && wasReady) {
      handleError(reading.error, instance, ErrorCodes.COMPONENT_UPDATE, false)
    }
  }
  const leave = (isForGood: boolean) => {
    forget()
    if (isForGood && isWaiting && !wasReady) context?.giveUp(attempt)
  }
  return { tell, leave }
}
