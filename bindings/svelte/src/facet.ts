import type { Observer } from '@selfsame/core'
import { createSubscriber } from 'svelte/reactivity'

/**
 * Makes one part of what a reader shows reactive: effects that read it run again when it changes, and only then.
 * While there is such an effect the call is listened to and its data kept.
 *
 * `createSubscriber` is what makes this hold whatever becomes of the effect: pending, failed, destroyed before it
 * was mounted, or on a server, where nothing is ever listened to. Nothing here writes state, so that it is safe
 * inside `$derived`.
 *
 * @param read - gives the part as it is now; the same value until it changes
 */
export function createFacet<Value>(observer: Observer, read: () => Value): () => Value {
  const follow = createFollower(observer, read)
  return () => {
    follow()
    return read()
  }
}

/** Makes a function that follows a part of what a reader shows, as a facet does, for whoever has read it already. */
export function createFollower(observer: Observer, read: () => unknown): () => void {
  return createSubscriber((update) => {
    const release = observer.retain()
    let told = read()
    const end = observer.subscribe(() => {
      const now = read()
      if (now === told) return
      told = now
      update()
    })
    return () => {
      end()
      release()
    }
  })
}
