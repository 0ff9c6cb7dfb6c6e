import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Which third `npm test` tries: 0, 1 or 2. Undefined for all three, as `npm run test:demo` and the like try them. */
    readonly turn: number | undefined
  }
}

/**
 * What is tried in this run, of tests that are the same for each framework, look or signal. `npm test` tries a third of them,
 * another each time, and names it: `TURN=1 npm test` repeats it.
 *
 * @param all - frameworks, looks or signals; the same order in each file, so that a framework is tried whole
 * @example describe.each(ofTurn(['React', 'Vue', 'Svelte']))('an edit in the %s pane', …)
 */
export function ofTurn<Item>(all: readonly Item[]): Item[] {
  const turn = inject('turn')
  return all.filter((_, index) => turn === undefined || index % 3 === turn)
}

/** The frameworks, in the order of their turns. */
export const frameworks = ['React', 'Vue', 'Svelte'] as const
export type Framework = (typeof frameworks)[number]
