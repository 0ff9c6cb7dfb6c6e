import { untrack } from 'svelte'
import { active_effect, render_effect, set, state } from 'svelte/internal/client'
import type { Effect } from 'svelte/internal/client'
import { isMounted } from './context.js'
import type { BoundaryContext } from './context.js'
import { Suspension } from './suspension.js'

/**
 * Lets the content of a `<svelte:boundary>` stay when a reader that is added to it has no data. Call it in an effect of
 * the content.
 *
 * `<svelte:boundary>` destroys its whole content when anything in it throws, and has no option for another behaviour.
 * So this replaces the handler of one boundary. When a reader throws a Suspension, the part of the template that was
 * being updated, such as an `{#if}`, stays as it was: Svelte has already destroyed what it was adding. The part runs
 * again once there is data, or once the call changes. Anything else that is thrown goes to Svelte's own handler.
 *
 * The public API of Svelte has no name for a part of the template. What is used of its runtime is in
 * `svelte-internal.d.ts`; where it is missing, nothing is replaced, and Svelte destroys the content as before.
 *
 * @param context - of the boundary whose content it is, which shows its fallback meanwhile
 * @returns a function that gives the handler of Svelte back; `undefined` if nothing was replaced
 */
export function suspendInPlace(context: BoundaryContext): (() => void) | undefined {
  const boundary = active_effect?.b
  if (typeof boundary?.error !== 'function') return undefined
  const suspended = new WeakSet<Effect>()
  boundary.error = (error) => {
    const part = active_effect
    // Svelte goes on with a part whose `$derived` has thrown, and that has `undefined` for its value.
    if (part !== null && suspended.has(part)) return
    const canWait = error instanceof Suspension && !error.waiting.dropsContent && isMounted(context)
    if (part === null || !canWait) {
      return Reflect.apply(Object.getPrototypeOf(boundary).error, boundary, [error])
    }
    suspended.add(part)
    const again = state(0)
    part.deps = [...(part.deps ?? []), again]
    again.reactions = [part]
    const call = untrack(() => error.waiting.call())
    // Svelte ends the effects of a part before the part runs again.
    render_effect(() => () => suspended.delete(part))
    render_effect(() => error.waiting.report(context.waiting))
    render_effect(() => {
      if (error.waiting.call() === call && !error.waiting.isOver()) return
      queueMicrotask(() => set(again, 1))
    })
  }
  return () => {
    Reflect.deleteProperty(boundary, 'error')
  }
}
