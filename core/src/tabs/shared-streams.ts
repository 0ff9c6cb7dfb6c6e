import { idOf } from '../controller/known-endpoints.js'
import type { EndpointLike, StreamSink } from '../endpoint/endpoint.js'
import { toError } from '../errors.js'
import { report } from '../util/report.js'
import { callNameOf } from './shared-reads.js'
import type { TabLocks } from './tab-options.js'

/** What the streams need of a tab. */
export interface SharedStreamsSource {
  readonly locks: TabLocks
  /** The name of the lock of a call. @param call - see `callNameOf` */
  readonly lockOf: (call: string) => string
  /** Runs what a stream brings for a call. */
  readonly bring: (key: string, run: () => void) => void
  /** Tells the other tabs that messages of a call may be missing. */
  readonly expire: (key: string) => void
}

/** A stream that readers of this tab are connected to. */
interface FollowedStream {
  /** Asks to open it, as soon as no other tab has it open. */
  readonly ask: () => void
  /** Closes it, if this tab has it open, and asks no more. */
  readonly leave: () => void
}

/** Streams, of which each is opened by one tab: the one that holds the lock of its call. It tells the others what comes. */
export class SharedStreams {
  readonly #source: SharedStreamsSource
  /** By key of a call. */
  readonly #followed = new Map<string, Set<FollowedStream>>()
  /** By name, settled when a lock that this tab gives back is free: browsers take their time. */
  readonly #givenBack = new Map<string, Promise<unknown>>()

  constructor(source: SharedStreamsSource) {
    this.#source = source
  }

  /** `true` while readers of this tab are connected to a call. */
  follows(key: string): boolean {
    return this.#followed.has(key)
  }

  /** Opens a stream, or follows that of another tab. @returns a function that ends it */
  open(endpoint: EndpointLike, sink: StreamSink, args: readonly unknown[], key: string): () => void {
    const followed = this.#follow(endpoint, key, args, sink)
    const others = this.#followed.get(key) ?? new Set()
    this.#followed.set(key, others.add(followed))
    followed.ask()
    return () => {
      others.delete(followed)
      if (others.size === 0) this.#followed.delete(key)
      followed.leave()
    }
  }

  /** The page is frozen: another tab opens the streams. */
  freeze(): void {
    for (const followed of this.#each()) followed.leave()
  }

  resume(): void {
    for (const followed of this.#each()) followed.ask()
  }

  *#each(): Iterable<FollowedStream> {
    for (const all of this.#followed.values()) yield* all
  }

  #follow(endpoint: EndpointLike, key: string, args: readonly unknown[], sink: StreamSink): FollowedStream {
    const { locks, lockOf } = this.#source
    const name = lockOf(callNameOf(idOf(endpoint), key))
    let inLine = new AbortController()
    let close: (() => void) | undefined
    let held: Promise<unknown> = Promise.resolve()
    /** Messages may have been missed before this tab opens it. */
    let mayMiss = false
    const hold = () =>
      new Promise<void>((resolve) => {
        if (inLine.signal.aborted) return resolve()
        if (mayMiss) sink.expire()
        const end = this.#openNow(endpoint, key, args, sink)
        close = () => {
          close = undefined
          report(() => end?.())
          resolve()
        }
      })
    const waitInLine = () => {
      if (sink.hasGap || mayMiss) sink.expire()
      mayMiss = true
      locks.request(name, { signal: inLine.signal }, hold).catch(() => {})
    }
    return {
      ask: () => {
        inLine = new AbortController()
        const tryHold = (lock: object | null) => {
          if (lock !== null) return hold()
          if (!inLine.signal.aborted) waitInLine()
          return Promise.resolve()
        }
        const request = () => {
          held = locks.request(name, { ifAvailable: true }, tryHold)
        }
        const givenBack = this.#givenBack.get(name)
        if (givenBack === undefined) return request()
        this.#givenBack.delete(name)
        void givenBack.then(request)
      },
      leave: () => {
        inLine.abort()
        mayMiss = true
        if (close !== undefined) this.#givenBack.set(name, held)
        close?.()
      },
    }
  }

  /** Opens a stream whose messages are told to the others. An error is one of the call. */
  #openNow(
    endpoint: EndpointLike,
    key: string,
    args: readonly unknown[],
    sink: StreamSink,
  ): (() => void) | undefined {
    const { bring, expire } = this.#source
    const told: Partial<StreamSink> = {
      receive: (response) => bring(key, () => sink.receive(response)),
      set: (schema, params, value) => bring(key, () => sink.set(schema, params, value)),
      expire: () => {
        sink.expire()
        expire(key)
      },
    }
    try {
      return endpoint.stream?.(Object.assign(Object.create(sink) as StreamSink, told), ...(args as never[]))
    } catch (error) {
      sink.fail(toError(error, endpoint.name))
      return undefined
    }
  }
}
