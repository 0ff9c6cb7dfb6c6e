import type { Controller, Facet, Observer } from '@selfsame/core'
import type { Readable } from 'svelte/store'
import type { Call } from './call.svelte.js'
import { createFacet } from './facet.js'
import { createStore } from './store.svelte.js'
import { Watch } from './watch.svelte.js'

/** What a hook gives of which one value is read. As a store it gives the same as `current`. */
export interface ValueHandle<Value> extends Readable<Value> {
  readonly current: Value
}

/**
 * @param read - gives the value as it is now; the same value until it changes
 * @param facets - what it is made of
 */
export function createValueHandle<Data, Value>(
  controller: Controller,
  call: () => Call,
  facets: readonly Facet[],
  read: (observer: Observer<Data>) => Value,
): ValueHandle<Value> {
  const watch = new Watch<Data, () => Value>(
    controller,
    call,
    (observer) => createFacet(observer, () => read(observer)),
    facets,
  )
  const { subscribe } = createStore(() => watch.peek()())
  return {
    subscribe,
    get current() {
      return watch.current()
    },
  }
}
