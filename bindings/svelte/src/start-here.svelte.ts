/**
 * Starts effects that last as long as the component. Outside of components and of `$effect.root`, as in a `.svelte.ts` module, they
 * last forever.
 *
 * @param start - creates the effects
 */
export function startHere(start: () => void): void {
  try {
    start()
  } catch (error) {
    // An effect of the component that ran at once has failed.
    if (!(error instanceof Error && /effect_(orphan|in_unowned_derived)/.test(error.message))) throw error
    $effect.root(start)
  }
}
