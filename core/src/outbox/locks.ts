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

/** Tabs of one browser: who of them sends, and how they tell each other. */
export interface Tabs {
  /** @default `navigator.locks`; `null` for none: then each tab works alone */
  readonly locks?: Locks | null | undefined
  /** Opens a channel to the other tabs. @default `BroadcastChannel`; `null` for none: then rows are read again each second */
  readonly channel?: ((name: string) => Channel) | null | undefined
}

/** The locks and the channel of the platform, where the options name none. */
export function tabsOf({ locks, channel }: Tabs): {
  locks: Locks | undefined
  channel: ((name: string) => Channel) | undefined
} {
  const { navigator, BroadcastChannel: Broadcast } = globalThis as {
    navigator?: { locks?: Locks | null }
    BroadcastChannel?: new (name: string) => Channel
  }
  return {
    locks: (locks === undefined ? navigator?.locks : locks) ?? undefined,
    channel: channel === undefined ? Broadcast && ((name) => new Broadcast(name)) : (channel ?? undefined),
  }
}
