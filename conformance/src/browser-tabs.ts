import type { TabChannel, TabLocks } from '@selfsame/core/tabs'

/** A channel of one tab, which may have others with other names. */
interface OpenChannel extends TabChannel {
  readonly tab: number
  readonly name: string
}

/** A message on its way to one tab. */
interface Sent {
  readonly to: number
  readonly channel: OpenChannel
  readonly data: unknown
}

/** The channels of one browser: messages wait until they are delivered. */
export class Channels {
  readonly #open = new Set<OpenChannel>()
  /** By sender. */
  readonly waiting = new Map<number, Sent[]>()
  /** All that was sent. */
  readonly sent: unknown[] = []

  open(tab: number, name: string): TabChannel {
    const channel: OpenChannel = {
      tab,
      name,
      onmessage: null,
      postMessage: (message) => {
        const data: unknown = structuredClone(message)
        this.sent.push(data)
        const others = [...this.#open].filter((other) => other.tab !== tab && other.name === name)
        const messages = others.map((other) => ({ to: other.tab, channel: other, data }))
        this.waiting.set(tab, [...(this.waiting.get(tab) ?? []), ...messages])
      },
      close: () => void this.#open.delete(channel),
    }
    this.#open.add(channel)
    return channel
  }

  /** Delivers the first message from one tab to another, which gets a copy of its own. @returns `false` if there is none */
  deliver(from: number, to: number): boolean {
    const waiting = this.waiting.get(from) ?? []
    const index = waiting.findIndex((each) => each.to === to)
    const [sent] = index < 0 ? [] : waiting.splice(index, 1)
    if (sent === undefined) return false
    if (this.#open.has(sent.channel)) sent.channel.onmessage?.({ data: structuredClone(sent.data) })
    return true
  }

  /** Delivers all messages, and those that they bring about. */
  deliverAll(): void {
    for (let isAny = true; isAny;) {
      isAny = false
      for (const [from, sent] of this.waiting)
        for (const { to } of [...sent]) if (this.deliver(from, to)) isAny = true
    }
  }
}

/** A lock that is held, or waited for. */
interface Waiter {
  readonly tab: number
  readonly take: () => void
}

/** The locks of one browser. A tab that is closed leaves its own. */
export class BrowserLocks {
  /** By name: the first one holds it. */
  readonly #lines = new Map<string, Waiter[]>()

  of(tab: number): TabLocks {
    return {
      request: (name, { signal, ifAvailable }, run) =>
        new Promise((resolve, reject) => {
          const line = this.#lines.get(name) ?? []
          this.#lines.set(name, line)
          if (ifAvailable === true && line.length > 0) return void run(null).then(resolve, reject)
          const waiter: Waiter = {
            tab,
            take: () =>
              void run({})
                .finally(() => this.#leave(name, waiter))
                .then(resolve, reject),
          }
          signal?.addEventListener('abort', () => {
            if (line.indexOf(waiter) > 0) this.#leave(name, waiter)
            reject(signal.reason as Error)
          })
          if (line.push(waiter) === 1) waiter.take()
        }),
    }
  }

  close(tab: number): void {
    for (const [name, line] of this.#lines)
      for (const waiter of line.filter((each) => each.tab === tab).reverse()) this.#leave(name, waiter)
  }

  #leave(name: string, waiter: Waiter): void {
    const line = this.#lines.get(name) ?? []
    const place = line.indexOf(waiter)
    if (place < 0) return
    line.splice(place, 1)
    if (place === 0) line[0]?.take()
  }
}
