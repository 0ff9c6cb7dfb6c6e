import { development } from '@selfsame/core/bindings'
import * as React from 'react'

const name = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
const nameIn18 = '__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED'

/** The internals of React that hold the current transition. */
interface Internals {
  readonly [name]?: { readonly T?: unknown }
  readonly [nameIn18]?: { readonly ReactCurrentBatchConfig?: { readonly transition?: unknown } }
}

function isInTransition(): boolean {
  const { [name]: internals, [nameIn18]: internalsIn18 } = React as Internals
  return Boolean(internals?.T ?? internalsIn18?.ReactCurrentBatchConfig?.transition)
}

/**
 * Updates a component in the lane of the code that changed the store. In development, React warns if one
 * `startTransition` updates more than ten components, as a store with many readers does. It does not count updates in
 * a nested `startTransition`, which belongs to the same transition. So each update is nested, but in development and inside a
 * transition only: a `startTransition` around an urgent update would delay it. No public API tells whether a transition is
 * current, hence the internals. One external store for all readers is no alternative: it renders at once instead of
 * with the transition. If React removes these internals, only the warning in development returns.
 */
export function updateQuietly(update: () => void): void {
  if (development && isInTransition()) React.startTransition(update)
  else update()
}
