import type { StreamSink } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import type { SelfsameError } from '../errors.js'
import type { Clock } from '../util/clock.js'
import { Backoff, requireLengths } from './backoff.js'
import type { ReconnectOptions } from './backoff.js'
import { Inbox } from './inbox.js'
import { isOffline, whenOnline } from './online.js'
import type { Refetch } from './stream-options.js'

/** What both kinds of connection may be told. */
export interface LiveOptions<Message> {
  /** The topic of a message, so that a call with a `topic` gets only its own. @default no message has one */
  readonly topicOf?: ((message: Message) => string | undefined) | undefined
  /** How long messages are collected to be stored together: milliseconds; 0 stores each at once. @default 16 */
  readonly batchMs?: number | undefined
  /** How long a connection without subscribers stays open, for one that comes back: milliseconds. @default 1000 */
  readonly lingerMs?: number | undefined
  /** When a lost connection is tried again; `false` never does. @default with a backoff from 1 to 30 seconds */
  readonly reconnect?: ReconnectOptions | false | undefined
  /** When calls are made Stale because messages may have been missed. @default 'reconnect' */
  readonly refetch?: Refetch | undefined
  /**
   * Is told of each message that could not be parsed, stored or sent. The messages before and after it are.
   *
   * @default a warning in development, once for each endpoint
   */
  readonly onError?: ((error: SelfsameError) => void) | undefined
}

/** How a connection is made and read. */
export interface Transport<Raw, Message> {
  /** For messages: the kind, and the address of the last attempt without its query, which may have a token. */
  readonly name: string
  readonly options: LiveOptions<Message>
  /** Makes an attempt. What it throws counts as a loss, other than of the first attempt. */
  readonly open: (events: LineEvents<Raw>, clock: Clock) => Line
  /** @returns the message; `undefined` to ignore it */
  readonly parse: (raw: Raw) => Message | undefined
}

/** One attempt to connect, and what comes of it. */
export interface Line {
  send(message: unknown): void
  close(): void
}

/** What a line tells. After `lost`, or after it was closed, it is not listened to. */
export interface LineEvents<Raw> {
  opened(): void
  received(raw: Raw): void
  /** It was interrupted and connects again by itself. @param isResumed - whether the server sends then what was missed */
  interrupted(isResumed: boolean): void
  /** @param isFinal - whether connecting again would be of no use @param cause - why, where that is known */
  lost(isFinal: boolean, cause?: unknown): void
}

/** What a call says to the server so that its messages come. */
export interface Subscription {
  /** Equal for those that one message subscribes to. */
  readonly key: string
  readonly subscribe: unknown
  /** `undefined` says nothing. */
  readonly unsubscribe: unknown
}

/** One call that gets messages. */
export interface Member<Message> {
  readonly sink: StreamSink
  /** `undefined` gets all messages. */
  readonly topic: string | undefined
  readonly subscription: Subscription | undefined
  readonly refetch: Refetch | undefined
  /** Stores a message. */
  receive(message: Message): void
}

interface Subscribed extends Subscription {
  /** The endpoint that asked for it first. */
  readonly endpoint: string
  members: number
  /** Set while it has no subscribers. */
  leaving: unknown
}

/**
 * A connection that is shared by all calls of one Controller that need it: made for the first, kept alive while there are
 * any, and made again when it is lost.
 */
export class Connection<Raw, Message> {
  readonly #transport: Transport<Raw, Message>
  readonly #clock: Clock
  readonly #lingerMs: number
  readonly #backoff: Backoff
  readonly #inbox: Inbox<Raw>
  readonly #onEnd: () => void
  readonly #members = new Set<Member<Message>>()
  /** Those with a topic, by it. */
  readonly #byTopic = new Map<string, Set<Member<Message>>>()
  readonly #withoutTopic = new Set<Member<Message>>()
  readonly #subscriptions = new Map<string, Subscribed>()
  readonly #warned = new Set<string>()
  #line: Line | undefined
  /** The attempt that is listened to. */
  #attempt: object | undefined
  #isOpen = false
  /** Whether messages may have been missed since the last line was open. */
  #hasGap = false
  /** Ends the wait for the next attempt; `undefined` when there is none. */
  #stopWaiting: (() => void) | undefined
  #linger: unknown = undefined
  #healthy: unknown = undefined

  /** @param onEnd - is called when it was closed, because it has no subscribers any more */
  constructor(transport: Transport<Raw, Message>, clock: Clock, onEnd: () => void) {
    const { batchMs = 16, lingerMs = 1000, reconnect } = transport.options
    this.#transport = transport
    this.#clock = clock
    this.#lingerMs = lingerMs
    this.#onEnd = onEnd
    this.#backoff = new Backoff(reconnect || {})
    this.#inbox = new Inbox(clock, batchMs, (raws) => this.#deliverAll(raws))
  }

  /** @returns a function that leaves it @throws what the first attempt throws */
  join(member: Member<Message>): () => void {
    this.#clearTimeout(this.#linger)
    this.#linger = undefined
    if (this.#line === undefined && this.#stopWaiting === undefined) this.#openFirst()
    this.#members.add(member)
    this.#listenersOf(member.topic).add(member)
    this.#subscribe(member)
    if (this.#isOpen) this.#catchUp([member], false)
    return () => this.#leave(member)
  }

  /** Closes it at once, also with subscribers. */
  close(): void {
    this.#members.clear()
    this.#byTopic.clear()
    this.#withoutTopic.clear()
    for (const { leaving } of this.#subscriptions.values()) this.#clearTimeout(leaving)
    this.#subscriptions.clear()
    this.#inbox.clear()
    this.#clearTimeout(this.#linger)
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
    this.#drop()?.close()
    this.#onEnd()
  }

  #leave(member: Member<Message>): void {
    if (!this.#members.delete(member)) return
    const listeners = this.#listenersOf(member.topic)
    listeners.delete(member)
    if (listeners.size === 0 && member.topic !== undefined) this.#byTopic.delete(member.topic)
    this.#unsubscribe(member.subscription)
    if (this.#members.size > 0) return
    // A lost connection without subscribers is not opened again.
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
      received: whileCurrent((raw) => this.#inbox.add(raw)),
      interrupted: whileCurrent((isResumed) => this.#interrupted(isResumed)),
      lost: whileCurrent((isFinal, cause) => this.#lost(isFinal, cause)),
    }
    this.#line = this.#transport.open(events, this.#clock)
  }

  #opened(): void {
    this.#isOpen = true
    const { healthyMs } = this.#backoff
    this.#clearTimeout(this.#healthy)
    this.#healthy = this.#clock.setTimeout(() => this.#backoff.reset(), healthyMs)
    for (const { endpoint, subscribe } of this.#subscriptions.values()) this.#send(endpoint, subscribe)
    const hadGap = this.#hasGap
    this.#hasGap = false
    this.#catchUp([...this.#members], hadGap)
  }

  #interrupted(isResumed: boolean): void {
    this.#isOpen = false
    if (!isResumed) this.#hasGap = true
    this.#clearTimeout(this.#healthy)
  }

  #lost(isFinal: boolean, cause: unknown): void {
    // What came before the loss is no worse for it.
    this.#inbox.flush()
    this.#drop()
    this.#hasGap = true
    if (this.#members.size === 0) this.close()
    else if (isFinal || this.#transport.options.reconnect === false) this.#giveUp(cause)
    else this.#wait()
  }

  #giveUp(cause: unknown): void {
    const error = errors.connectionLost(this.#transport.name, cause)
    this.#batch(() => {
      for (const { sink } of this.#members) sink.fail(error)
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
    if (isOffline()) {
      this.#stopWaiting = whenOnline(retry)
      return
    }
    const timer = this.#clock.setTimeout(retry, this.#backoff.next())
    this.#stopWaiting = () => this.#clock.clearTimeout(timer)
  }

  /** Listens to the line no more. */
  #drop(): Line | undefined {
    const line = this.#line
    this.#line = undefined
    this.#attempt = undefined
    this.#isOpen = false
    this.#clearTimeout(this.#healthy)
    return line
  }

  // --- what the server is told ---

  #subscribe({ subscription, sink: { name: endpoint } }: Member<Message>): void {
    if (subscription === undefined) return
    let subscribed = this.#subscriptions.get(subscription.key)
    if (subscribed === undefined) {
      subscribed = { ...subscription, endpoint, members: 0, leaving: undefined }
      this.#subscriptions.set(subscription.key, subscribed)
      if (this.#isOpen) this.#send(endpoint, subscription.subscribe)
    }
    this.#clearTimeout(subscribed.leaving)
    subscribed.leaving = undefined
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

  /** One that cannot be sent keeps no other from being sent. */
  #send(endpoint: string, message: unknown): void {
    try {
      this.#line?.send(message)
    } catch (cause) {
      this.#report(endpoint, errors.messageUnsendable(this.#transport.name, endpoint, cause))
    }
  }

  // --- what the server tells ---

  /** Lets calls be fetched that may have missed messages. */
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

  #deliverAll(raws: readonly Raw[]): void {
    this.#batch(() => {
      for (const raw of raws) this.#deliver(raw)
    })
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
    for (const member of this.#withoutTopic) this.#receive(member, message)
    if (topic === undefined) return
    for (const member of this.#byTopic.get(topic) ?? []) this.#receive(member, message)
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
      try {
        onError(error)
      } catch (thrown) {
        // Told to the page: the messages after this one are stored.
        queueMicrotask(() => {
          throw thrown
        })
      }
      return
    }
    if (this.#warned.has(endpoint)) return
    this.#warned.add(endpoint)
    warn(error.message)
  }

  /** Readers are told once. */
  #batch(change: () => void): void {
    for (const { sink } of this.#members) return sink.batch(change)
  }

  #listenersOf(topic: string | undefined): Set<Member<Message>> {
    if (topic === undefined) return this.#withoutTopic
    let listeners = this.#byTopic.get(topic)
    if (listeners === undefined) this.#byTopic.set(topic, (listeners = new Set()))
    return listeners
  }

  #clearTimeout(timer: unknown): void {
    if (timer !== undefined) this.#clock.clearTimeout(timer)
  }
}

/** @throws {SelfsameError} `definition-invalid` for a length that is negative or not a number */
export function checkOptions(name: string, { batchMs, lingerMs, reconnect }: LiveOptions<never>): void {
  requireLengths(name, { batchMs, lingerMs })
  if (reconnect === undefined || reconnect === false) return
  const { delayMs, maxDelayMs, healthyMs } = reconnect
  requireLengths(name, { delayMs, maxDelayMs, healthyMs })
}
