import * as React from 'react'
import type { Context } from 'react'

/** A promise that carries its outcome, as React reads it. */
type Tagged<Value> = Promise<Value> & {
  status?: 'pending' | 'fulfilled' | 'rejected'
  value?: Value
  reason?: unknown
}

/** Reads a context, or the value of a promise: suspends while it is pending. */
interface Use {
  <Value>(usable: Promise<Value> | Context<Value>): Value
}

// Not `React.use`: bundlers warn that React 18 does not export it.
const name = 'use'

/**
 * React's `use`. React 18 has none: there a thrown promise suspends the component, and React renders it again when
 * the promise settles.
 */
export const use: Use = (React as unknown as { readonly [name]?: Use })[name] ?? useByThrowing

/** `false` in React 18. */
export const hasUse = use !== useByThrowing

function useByThrowing<Value>(usable: Promise<Value> | Context<Value>): Value {
  // One call site passes either contexts or promises, so the order of hooks does not change.
  // eslint-disable-next-line react/hooks
  if (!('then' in usable)) return React.useContext(usable)
  const promise: Tagged<Value> = usable
  if (promise.status === 'fulfilled') return promise.value as Value
  if (promise.status === 'rejected') throw promise.reason
  if (promise.status === undefined) tag(promise)
  throw promise
}

/** Stores the outcome in the promise, like React 19. */
function tag<Value>(promise: Tagged<Value>): void {
  promise.status = 'pending'
  promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    (reason: unknown) => Object.assign(promise, { status: 'rejected', reason }),
  )
}
