import { untrack } from 'svelte'
import { active_effect, get, render_effect, set, state } from 'svelte/internal/client'
import type { Effect, Source } from 'svelte/internal/client'
import { isMounted } from './context.js'
import type { BoundaryContext } from './context.js'
import { waitingFor } from './suspension-on-server.js'

/**
 * Lets the content of a `<svelte:boundary>` stay when a reader that is added to it has no data. Call it in an effect of
 * the content.
 *
 * `<svelte:boundary>` destroys its whole content when anything in it throws, and has no option for another behaviour.
 * So this replaces the handler of one boundary. When a reader throws a Suspension, the part of the template that was
 * being updated, such as an `{#if}`, stays as it was: Svelte has already destroyed what it was adding. The part runs
 * again once there is data, or once the call changes. Anything else that is thrown goes to Svelte's own handler.
 *
 * A `$derived` belongs to the component that makes it, and so do its errors: what reads it in a boundary further inside gets
 * `undefined`, and may throw for that reason. Such an error is no error while something around waits.
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
    const waiting = waitingFor(error, context)
    if (part === null || waiting === undefined || waiting.dropsContent || !isMounted(context)) {
      return Reflect.apply(Object.getPrototypeOf(boundary).error, boundary, [error])
    }
    suspended.add(part)
    const again = state(0)
    const isOver = () => get(again) !== 0
    part.deps = [...(part.deps ?? []), again]
    again.reactions = [part]
    const call = untrack(() => waiting.call())
    context.waits.set(waiting, call)
    // Svelte ends the effects of a part before the part runs again.
    render_effect(() => () => suspended.delete(part))
    render_effect(() => {
      if (!isOver()) waiting.report(context.waiting)
    })
    render_effect(() => {
      if (isOver() || (waiting.call() === call && !waiting.isOver())) return
      queueMicrotask(() => {
        // A component whose `$derived` has thrown does not run again.
        suspended.delete(part)
        set(again, 1)
      })
    })
  }
  return () => {
    Reflect.deleteProperty(boundary, 'error')
  }
}

/**
 * Connects what the content of a boundary reads. Svelte 5.57 does not do so for a `$derived` whose first run has thrown, if that was
 * read in content that was destroyed for it: when the content is mounted again, it would never change. Call it in an effect of the content.
 */
export function reconnect(): void {
  const connected = new Set<Source>()
  const connect = (source: Source) => {
    if (connected.has(source)) return
    connected.add(source)
    for (const read of source.deps ?? []) {
      if (read.reactions?.includes(source) !== true) (read.reactions ??= []).push(source)
      connect(read)
    }
  }
  const visit = (effect: Effect) => {
    for (const read of effect.deps ?? []) connect(read)
    for (let inner = effect.first; inner; inner = inner.next) visit(inner)
  }
  let content = active_effect
  while (content?.parent && content.parent.b === content.b) content = content.parent
  if (content) visit(content)
}
