/** What `suspend-in-place.ts` uses of Svelte's own runtime, as it is in Svelte 5.57. */
declare module 'svelte/internal/client' {
  /** A part of the screen that runs again when what it has read changes. */
  export interface Effect {
    readonly parent: Effect | null
    /** The first of those inside it. */
    readonly first: Effect | null
    /** The next one beside it. */
    readonly next: Effect | null
    /** The nearest `<svelte:boundary>` around it. */
    readonly b: { error(error: unknown): void } | null
    deps: Source[] | null
  }

  export interface Source {
    /** What a `$derived` has read; `undefined` for state. */
    readonly deps?: Source[] | null
    reactions: (Effect | Source)[] | null
  }

  /** The effect that is running. */
  export const active_effect: Effect | null
  export function state(value: unknown): Source
  export function get(source: Source): unknown
  export function set(source: Source, value: unknown): void
  export function render_effect(run: () => (() => void) | void): Effect
}
