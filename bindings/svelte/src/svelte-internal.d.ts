/** What `suspend-in-place.ts` uses of Svelte's own runtime, as it is in Svelte 5.57. */
declare module 'svelte/internal/client' {
  /** A part of the screen that runs again when what it has read changes. */
  export interface Effect {
    readonly parent: Effect | null
    /** The nearest `<svelte:boundary>` around it. */
    readonly b: { error(error: unknown): void } | null
    deps: Source[] | null
  }

  export interface Source {
    reactions: Effect[] | null
  }

  /** The effect that is running. */
  export const active_effect: Effect | null
  export function state(value: unknown): Source
  export function set(source: Source, value: unknown): void
  export function render_effect(run: () => (() => void) | void): Effect
}
