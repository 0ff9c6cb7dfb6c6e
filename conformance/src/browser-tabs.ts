import type { TabChannel, TabLocks } from '@selfsame/core/tabs'

/** A lock that is held, or waited for. */
interface Holder {
  readonly page: object
  readonly take: () => void
  readonly end: () => void
}

/** The tabs of one browser: their messages arrive when they are let through, and the locks of a page that is closed are free. */
export class BrowserTabs {
  readonly #open = new Map<object, TabChannel>()
  readonly #messages: { readonly to: object; readonly data: unknown }[] = []
  readonly #locks = new Map<string, Holder[]>()

  /** @returns how a page, which is any object, reaches the others */
  of(page: object): { readonly channel: () => TabChannel; readonly locks: TabLocks } {
    const channel = (): TabChannel => {
      const opened: TabChannel = {
        onmessage: null,
        postMessage: (message) => {
          for (const to of this.#open.keys())
            if (to !== page) this.#messages.push({ to, data: structuredClone(message) })
        },
        close: () => this.#open.delete(page),
      }
      this.#open.set(page, opened)
      return opened
    }
    return { channel, locks: { request: (...request) => this.#request(page, ...request) } }
  }

  /** Lets the first message through. @returns `false` if there is none */
  deliver(): boolean {
    const message = this.#messages.shift()
    if (message === undefined) return false
    this.#open.get(message.to)?.onmessage?.({ data: message.data })
    return true
  }

  close(page: object): void {
    this.#open.delete(page)
    for (const [name, line] of this.#locks)
      for (const holder of line.filter((each) => each.page === page).reverse()) this.#leave(name, holder)
  }

  #request<Value>(
    page: object,
    name: string,
    { signal, ifAvailable }: { readonly signal?: AbortSignal; readonly ifAvailable?: boolean },
    run: (lock: object | null) => Promise<Value>,
  ): Promise<Value> {
    const line = this.#locks.get(name) ?? []
    this.#locks.set(name, line)
    if (ifAvailable === true && line.length > 0) return run(null)
    return new Promise((resolve, reject) => {
      const holder: Holder = {
        page,
        take: () => void run({}).then(resolve, reject).finally(holder.end),
        end: () => this.#leave(name, holder),
      }
      signal?.addEventListener('abort', () => {
        if (line.indexOf(holder) > 0) holder.end()
        reject(signal.reason as Error)
      })
      if (line.push(holder) === 1) holder.take()
    })
  }

  #leave(name: string, holder: Holder): void {
    const line = this.#locks.get(name) ?? []
    const place = line.indexOf(holder)
    if (place < 0) return
    line.splice(place, 1)
    if (place === 0) line[0]?.take()
  }
}
