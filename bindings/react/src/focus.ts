import type { Watched } from '@selfsame/core/bindings'

/** Does nothing on the web, which has no screens. React Native loads `focus.native.ts` instead. */
// eslint-disable-next-line no-unused-vars
export function useFocusRefetch(_observer: Pick<Watched, 'refetchIfStale'>): void {}
