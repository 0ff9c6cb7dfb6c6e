import type { Controller } from '@selfsame/core'
import type { Recording } from './recording.js'

/** What the panel needs, which is loaded when it is opened. */
export interface Stage {
  readonly controller: Controller
  readonly recording: Recording
  readonly name: string
  /** Closes the panel; `undefined` where it fills a tab of a shell, which has its own place and is closed by that. */
  readonly close: (() => void) | undefined
}

/** What a tab may ask of the panel. */
export interface Panel extends Stage {
  /** Opens a tab on something: a call by its key, a record by `key pk`. */
  go(tab: string, target: string): void
}

/** A tab: its content, and how it follows the store. */
export interface Tab {
  readonly element: HTMLElement
  /** Shows the present state. Called after changes, and each second. */
  refresh(): void
}

/** Where the panel keeps its place. */
const storageKey = 'selfsame.devtools'

/** The place of the panel, as it was left. */
export function read(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Remembers the place of the panel, if the page has a storage. */
export function write(place: Record<string, unknown>): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(place))
  } catch {
    // Storage is full or not allowed: the place is not remembered.
  }
}
