import * as React from 'react'

const name = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
const nameIn18 = '__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED'

/** What React keeps for itself: the transition whose scope runs. */
interface Internals {
  readonly [name]?: { readonly T?: unknown }
  readonly [nameIn18]?: { readonly ReactCurrentBatchConfig?: { readonly transition?: unknown } }
}

const { [name]: internals, [nameIn18]: internalsIn18 } = React as Internals

/**
 * Updates a component in the lane of whoever changed the store. React's build for development counts the components
 * that one `startTransition` updates, and warns above ten, as if a store had to update all of its readers. It does not
 * count those of a `startTransition` inside, which is the same transition. Whether there is one around is known to
 * React only: no public call tells. One external store for all readers would be rendered at once, and not with the
 * transition; a `startTransition` around each update would make urgent ones wait. Should React stop telling, the warning in
 * development is all that is back.
 */
export function updateQuietly(update: () => void): void {
  if (internals?.T ?? internalsIn18?.ReactCurrentBatchConfig?.transition) React.startTransition(update)
  else update()
}
