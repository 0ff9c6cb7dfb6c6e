import { untrack } from 'svelte'
import type { Readable } from 'svelte/store'

/**
 * Makes a store of what a function reads.
 *
 * Not by Svelte's `toStore`: an effect that is made while a template is rendered, where `$store` subscribes, is left
 * out as soon as both are to run again (Svelte 5.57). So this one is made right after that.
 */
export function createStore<Value>(read: () => Value): Readable<Value> {
  return {
    subscribe(run) {
      let told = untrack(read)
      run(told)
      let end: (() => void) | undefined
      let hasEnded = false
      const follow = () => {
        $effect.pre(() => {
          const now = read()
          if (now === told) return
          told = now
          untrack(() => run(now))
        })
      }
      queueMicrotask(() => {
        if (!hasEnded) end = $effect.root(follow)
      })
      return () => {
        hasEnded = true
        end?.()
      }
    },
  }
}
