import * as React from 'react'
import type { Context } from 'react'

/** A promise that says how it ended. */
type Tagged<Value> = Promise<Value> & {
  status?: 'pending' | 'fulfilled' | 'rejected'
  value?: Value
  reason?: unknown
}

/** Reads a context, or what a promise gives: the component waits for one that is in flight. */
interface Use {
  <Value>(usable: Promise<Value> | Context<Value>): Value
}

// Not `React.use`: bundlers tell that React 18 does not have it.
const name = 'use'

/** React's own, or what stands for it in React 18, which renders a component again when the promise that it threw is settled. */
export const use: Use = (React as unknown as { readonly [name]?: Use })[name] ?? useByThrowing

function useByThrowing<Value>(usable: Promise<Value> | Context<Value>): Value {
  // One call of it gives either a context or a promise, always.
  // eslint-disable-next-line react/hooks
  if (!('then' in usable)) return React.useContext(usable)
  const promise: Tagged<Value> = usable
  if (promise.status === 'fulfilled') return promise.value as Value
  if (promise.status === 'rejected') throw promise.reason
  if (promise.status === undefined) tag(promise)
  throw promise
}

/** As React 19 does it. */
function tag<Value>(promise: Tagged<Value>): void {
  promise.status = 'pending'
  promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    (reason: unknown) => Object.assign(promise, { status: 'rejected', reason }),
  )
}
