/** The part of `navigator.locks` that it uses. */
export interface Locks {
  /** Calls a function when no one else holds the lock, and holds it until the promise of the function is settled. */
  request<Value>(
    name: string,
    options: { readonly signal?: AbortSignal },
    run: () => Promise<Value>,
  ): Promise<Value>
}

/** The part of a `BroadcastChannel` that it uses. */
export interface Channel {
  onmessage: ((event: never) => void) | null
  postMessage(message: unknown): void
  close(): void
}

/** Tabs of one browser: which of them sends, and how they communicate. */
export interface Tabs {
  /** @default `navigator.locks`; `null` for none: then each tab works alone */
  readonly locks?: Locks | null | undefined
  /** Opens a channel to the other tabs. @default `BroadcastChannel`; `null` for none: then rows are reread every second */
  readonly channel?: ((name: string) => Channel) | null | undefined
}
