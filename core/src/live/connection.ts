import * as errors from '../errors.js'
import { warn } from '../errors.js'
import type { SelfsameError } from '../errors.js'
import type { Clock } from '../util/clock.js'
import { listen } from '../util/listen.js'
import { browserNetwork } from '../util/network-state.js'
import { getOrMake } from '../util/get-or-make.js'
import { backoffMs, requireLengths } from './reconnect-delay.js'
import type { StreamReconnectOptions } from './reconnect-delay.js'
import type { Member, Refetch, Subscription } from './stream-options.js'
import { report } from '../util/report.js'

/** Options of both kinds of connection. */
export interface LiveOptions<Message> {
  /**
   * The topic of a message. A call with a `topic` receives only the messages of that topic.
   *
   * @default no message has a topic
   */
  readonly topicOf?: ((message: Message) => string | undefined) | undefined
  /**
   * How long messages are collected before they are stored together, in milliseconds; 0 stores each one immediately.
   * @default 16
   */
  readonly batchMs?: number | undefined
  /** How long a connection without subscribers stays open, in milliseconds, in case one returns. @default 1000 */
  readonly lingerMs?: number | undefined
  /** When to retry a lost connection; `false` never does. @default exponential backoff from 1 to 30 seconds */
  readonly reconnect?: StreamReconnectOptions | false | undefined
  /** When to make calls Stale because messages may have been missed. @default 'reconnect' */
  readonly refetch?: Refetch | undefined
  /**
   * Called with each message that could not be parsed, stored or sent. The other messages are processed as usual.
   *
   * @default a warning in development, once per endpoint
   */
  readonly onError?: ((error: SelfsameError) => void) | undefined
}

/** How to open a connection and read its messages. */
export interface StreamTransport<Raw, Message> {
  /**
   * For error messages: the kind of connection, and the address of the last attempt without its query, which may hold
   * a token.
   */
  readonly name: string
  readonly options: LiveOptions<Message>
  /** Opens an attempt. If the first attempt throws, `join` throws; later errors count as a lost connection. */
  readonly open: (events: LineEvents<Raw>, clock: Clock) => Line
  /** @returns the message; `undefined` to ignore it */
  readonly parse: (raw: Raw) => Message | undefined
}

/** One attempt to connect. */
export interface Line {
  send(message: unknown): void
  close(): void
}

/** The events of a line. They are ignored after `lost` and after `close`. */
export interface LineEvents<Raw> {
  opened(): void
  received(raw: Raw): void
  /**
   * The connection was interrupted and reconnects by itself. @param isResumed - true if the server then sends the
   * missed messages
   */
  interrupted(isResumed: boolean): void
  /**
   * The connection is lost. @param isFinal - true if reconnecting is pointless @param cause - the reason, if known
   */
  lost(isFinal: boolean, cause?: unknown): void
}

/** Limits the memory of pages in the background, whose timers fire rarely: this many messages are stored at once. */
const capacity = 10_000

interface Subscribed extends Subscription {
  /** The endpoint that subscribed first, for error messages. */
  readonly endpoint: string
  members: number
  /** The timer of the unsubscription; set while there are no subscribers. */
  leaving: unknown
}

/**
 * A connection that all calls of one Controller share. The first call opens it, it stays open while there are calls,
 * and reconnects when it is lost.
 */
export class Connection<Raw, Message> {
  readonly #transport: StreamTransport<Raw, Message>
  readonly #clock: Clock
  readonly #lingerMs: number
  readonly #onEnd: () => void
  /** By topic; those without a topic by `undefined`. */
  readonly #members = new Map<string | undefined, Set<Member<Message>>>()
  readonly #subscriptions = new Map<string, Subscribed>()
  readonly #warned = new Set<string>()
  /** Messages that are stored together, so that readers are notified once for all of them. */
  #inbox: Raw[] = []
  /** Where the Controller finds that there are some. */
  #inboxes: Set<() => void> | undefined
  #line: Line | undefined
  /** Identifies the current attempt; events of older ones are ignored. */
  #attempt: object | undefined
  /** The number of attempts since the last connection that lasted. */
  #retries = 0
  #isOpen = false
  /** True if messages may have been missed since the last line was open. */
  #hasGap = false
  /** Cancels the wait for the next attempt; `undefined` if none is pending. */
  #stopWaiting: (() => void) | undefined
  #collecting: unknown = undefined
  #linger: unknown = undefined
  #healthy: unknown = undefined

  /** @param onEnd - called when the connection is closed for lack of subscribers */
  constructor(transport: StreamTransport<Raw, Message>, clock: Clock, onEnd: () => void) {
    this.#transport = transport
    this.#clock = clock
    this.#lingerMs = transport.options.lingerMs ?? 1000
    this.#onEnd = onEnd
  }

  /** @returns a function that leaves the connection @throws what the first attempt throws */
  join(member: Member<Message>): () => void {
    this.#clock.clearTimeout(this.#linger)
    if (this.#line === undefined && this.#stopWaiting === undefined) this.#openFirst()
    getOrMake(this.#members, member.topic, () => new Set()).add(member)
    this.#subscribe(member)
    if (this.#isOpen) this.#catchUp([member], false)
    return () => this.#leave(member)
  }

  /** Closes the connection immediately, also if it has subscribers. */
  close(): void {
    this.#members.clear()
    for (const { leaving } of this.#subscriptions.values()) this.#clock.clearTimeout(leaving)
    this.#subscriptions.clear()
    this.#takeInbox()
    this.#clock.clearTimeout(this.#linger)
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
    this.#drop()?.close()
    this.#onEnd()
  }

  #leave(member: Member<Message>): void {
    const others = this.#members.get(member.topic)
    if (others?.delete(member) !== true) return
    if (others.size === 0) this.#members.delete(member.topic)
    this.#unsubscribe(member.subscription)
    if (this.#members.size > 0) return
    // A lost connection without subscribers does not reconnect.
    if (this.#line === undefined) return this.close()
    this.#linger = this.#clock.setTimeout(() => this.close(), this.#lingerMs)
  }

  // --- connecting ---

  #openFirst(): void {
    try {
      this.#open()
    } catch (error) {
      if (this.#members.size === 0) this.close()
      throw error
    }
  }

  #open(): void {
    const attempt = {}
    this.#attempt = attempt
    const whileCurrent =
      <Args extends readonly unknown[]>(listener: (...args: Args) => void) =>
      (...args: Args) => {
        if (this.#attempt === attempt) listener(...args)
      }
    const events: LineEvents<Raw> = {
      opened: whileCurrent(() => this.#opened()),
      received: whileCurrent((raw) => this.#received(raw)),
      interrupted: whileCurrent((isResumed) => this.#interrupted(isResumed)),
      lost: whileCurrent((isFinal, cause) => this.#lost(isFinal, cause)),
    }
    this.#line = this.#transport.open(events, this.#clock)
  }

  #opened(): void {
    const { reconnect } = this.#transport.options
    const { healthyMs = 10_000 } = reconnect || {}
    this.#isOpen = true
    this.#clock.clearTimeout(this.#healthy)
    this.#healthy = this.#clock.setTimeout(() => (this.#retries = 0), healthyMs)
    for (const { endpoint, subscribe } of this.#subscriptions.values()) this.#send(endpoint, subscribe)
    const hadGap = this.#hasGap
    this.#hasGap = false
    this.#catchUp([...this.#all()], hadGap)
  }

  #interrupted(isResumed: boolean): void {
    this.#isOpen = false
    if (!isResumed) this.#hasGap = true
    this.#clock.clearTimeout(this.#healthy)
  }

  #lost(isFinal: boolean, cause: unknown): void {
    // Messages that arrived before the loss are valid.
    this.#flush()
    this.#drop()
    this.#hasGap = true
    if (this.#members.size === 0) this.close()
    else if (isFinal || this.#transport.options.reconnect === false) this.#fail(cause)
    else this.#wait()
  }

  #fail(cause: unknown): void {
    const error = errors.connectionLost(this.#transport.name, cause)
    this.#batch(() => {
      for (const { sink } of this.#all()) sink.fail(error)
    })
  }

  #wait(): void {
    const retry = () => {
      this.#stopWaiting = undefined
      try {
        this.#open()
      } catch (error) {
        this.#lost(false, error)
      }
    }
    const { reconnect } = this.#transport.options
    if (!browserNetwork.isOnline() && 'addEventListener' in globalThis) {
      this.#stopWaiting = listen(globalThis, ['online'], () => {
        this.#stopWaiting?.()
        retry()
      })
    } else {
      const timer = this.#clock.setTimeout(retry, backoffMs(reconnect || {}, this.#retries++))
      this.#stopWaiting = () => this.#clock.clearTimeout(timer)
    }
  }

  /** Ignores further events of the line. */
  #drop(): Line | undefined {
    const line = this.#line
    this.#line = undefined
    this.#attempt = undefined
    this.#isOpen = false
    this.#clock.clearTimeout(this.#healthy)
    return line
  }

  // --- messages to the server ---

  #subscribe({ subscription, sink: { name: endpoint } }: Member<Message>): void {
    if (subscription === undefined) return
    const subscribed = getOrMake(this.#subscriptions, subscription.key, () => {
      if (this.#isOpen) this.#send(endpoint, subscription.subscribe)
      return { ...subscription, endpoint, members: 0, leaving: undefined }
    })
    this.#clock.clearTimeout(subscribed.leaving)
    subscribed.members++
  }

  #unsubscribe(subscription: Subscription | undefined): void {
    const subscribed = subscription && this.#subscriptions.get(subscription.key)
    if (subscribed === undefined || --subscribed.members > 0) return
    subscribed.leaving = this.#clock.setTimeout(() => {
      this.#subscriptions.delete(subscribed.key)
      if (this.#isOpen && subscribed.unsubscribe !== undefined)
        this.#send(subscribed.endpoint, subscribed.unsubscribe)
    }, this.#lingerMs)
  }

  /** An error is reported, so that the other messages are still sent. */
  #send(endpoint: string, message: unknown): void {
    try {
      this.#line?.send(message)
    } catch (cause) {
      this.#report(endpoint, errors.messageUnsendable(this.#transport.name, endpoint, cause))
    }
  }

  // --- messages of the server ---

  /** Makes calls Stale that may have missed messages, so that their readers refetch. */
  #catchUp(members: readonly Member<Message>[], hadGap: boolean): void {
    const late = members.filter(({ sink, refetch = this.#transport.options.refetch ?? 'reconnect' }) => {
      if (refetch === 'never') return false
      return refetch === 'open' || hadGap || sink.hasGap
    })
    if (late.length === 0) return
    this.#batch(() => {
      for (const { sink } of late) sink.expire()
    })
  }

  #received(raw: Raw): void {
    const { batchMs = 16 } = this.#transport.options
    this.#inbox.push(raw)
    if (batchMs === 0 || this.#inbox.length >= capacity) this.#flush()
    else if (this.#collecting === undefined) {
      this.#collecting = this.#clock.setTimeout(this.#flush, batchMs)
      const [member] = this.#all()
      this.#inboxes = member?.sink.inboxes
      this.#inboxes?.add(this.#flush)
    }
  }

  readonly #flush = () => {
    const raws = this.#takeInbox()
    if (raws.length === 0) return
    this.#batch(() => {
      for (const raw of raws) this.#deliver(raw)
    })
  }

  #takeInbox(): readonly Raw[] {
    const raws = this.#inbox
    this.#inbox = []
    this.#clock.clearTimeout(this.#collecting)
    this.#collecting = undefined
    this.#inboxes?.delete(this.#flush)
    return raws
  }

  #deliver(raw: Raw): void {
    const { name, parse, options } = this.#transport
    let message: Message | undefined
    let topic: string | undefined
    try {
      message = parse(raw)
      if (message === undefined) return
      topic = options.topicOf?.(message)
    } catch (cause) {
      this.#report('', errors.messageUnparsable(name, cause))
      return
    }
    for (const member of this.#members.get(undefined) ?? []) this.#receive(member, message)
    if (topic === undefined) return
    for (const member of this.#members.get(topic) ?? []) this.#receive(member, message)
  }

  #receive(member: Member<Message>, message: Message): void {
    try {
      member.receive(message)
    } catch (cause) {
      const endpoint = member.sink.name
      this.#report(endpoint, errors.messageUnusable(this.#transport.name, endpoint, cause))
    }
  }

  #report(endpoint: string, error: SelfsameError): void {
    const { onError } = this.#transport.options
    if (onError !== undefined) {
      // If it throws, the messages after this one are stored all the same.
      report(() => onError(error))
      return
    }
    if (this.#warned.has(endpoint)) return
    this.#warned.add(endpoint)
    warn(error)
  }

  *#all(): Iterable<Member<Message>> {
    for (const members of this.#members.values()) yield* members
  }

  /** Notifies readers once for all changes. */
  #batch(change: () => void): void {
    for (const { sink } of this.#all()) return sink.batch(change)
  }
}

/** @throws {SelfsameError} in development `definition-invalid` for a time that is negative, not a number, or too long for a timer */
export function checkLiveOptions(name: string, { batchMs, lingerMs, reconnect }: LiveOptions<never>): void {
  requireLengths(name, { batchMs, lingerMs })
  if (reconnect === undefined || reconnect === false) return
  const { delayMs, maxDelayMs, healthyMs } = reconnect
  requireLengths(name, { delayMs, maxDelayMs, healthyMs })
}
