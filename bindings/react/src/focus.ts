import type { Watched } from '@selfsame/core/bindings'

/** On the web there are no screens: does nothing. `focus.native.ts` takes its place in React Native. */
// eslint-disable-next-line no-unused-vars
export function useFocusRefetch(_observer: Pick<Watched, 'refetchIfStale'>): void {}
