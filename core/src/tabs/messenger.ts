import { epochOf, noteEnd } from '../platform/end-mark.js'
import { openChannel } from '../platform/platform.js'
import type { Clock } from '../util/clock.js'
import { listen } from '../util/listen.js'
import type { Message, News, Visit } from './message.js'
import type { TabGroup } from './tab-group.js'
import type { SyncTabsOptions, TabChannel } from './tab-options.js'
import type { Taker } from './taker.js'

/** How long what another tab wrote to `localStorage` before its reset is waited for, in milliseconds: messages may be faster. */
const noteWait = 1000

interface MessengerSource {
  readonly clock: Clock
  readonly options: SyncTabsOptions
  readonly group: TabGroup
  readonly taker: Taker
}

/** Sends messages to the other tabs, and passes on theirs: if they are of the same user, and no reset lies between them and this tab. */
export class Messenger {
  readonly #clock: Clock
  readonly #options: SyncTabsOptions
  readonly #group: TabGroup
  readonly #taker: Taker
  readonly #followsResets: boolean
  #channel: TabChannel | undefined
  /** Whose data this tab has. */
  #visit: Visit = { scope: undefined, resetAt: 0, isNoted: false, since: 0 }
  /** What is heard while a reset waits for its note. */
  #held: Message[] | undefined
  /** `true` once another tab was heard: until then nothing is told. */
  #hasOthers = false

  constructor({ clock, options, group, taker }: MessengerSource) {
    this.#clock = clock
    this.#options = options
    this.#group = group
    this.#taker = taker
    this.#followsResets = options.resets !== false
  }

  get hasOthers(): boolean {
    return this.#hasOthers
  }

  /** Opens the channel. @returns `false` if the page has none */
  open(): boolean {
    const channel = (this.#channel = openChannel(this.#group.name, this.#options.channel))
    if (channel === undefined) return false
    // eslint-disable-next-line unicorn/prefer-add-event-listener
    channel.onmessage = ({ data }) => this.#receive(data as Message)
    this.#visit = { ...this.#visit, scope: this.#group.scope, since: this.#clock.now() }
    this.post({ type: 'opened' })
    return true
  }

  close(): void {
    this.#channel?.close()
    this.#channel = undefined
  }

  post(news: News): void {
    if (news.type === 'done' && !(this.#hasOthers && this.#isOf(this.#visit))) return
    this.#channel?.postMessage({ ...news, ...this.#visit })
  }

  /** Begins another visit. @param isTaken - `true` for the reset of another tab */
  reset(at: number, isTaken: boolean): void {
    const { resetAt, isNoted } = isTaken
      ? this.#visit
      : { resetAt: at, isNoted: noteEnd(this.#group.owner, `${at}`) }
    this.#visit = { scope: this.#group.scope, resetAt, isNoted, since: at }
    if (!isTaken && this.#followsResets) this.post({ type: 'reset' })
  }

  /** `true` unless the data in this tab is another user's, or may be of several. */
  #isOf({ scope }: Visit): boolean {
    return scope === this.#visit.scope && scope === this.#group.scope
  }

  /** Hears a message. If it tells of a reset whose note is not here yet, it waits, and so do those after it: as if they were slower. */
  #receive(message: Message): void {
    const { isNoted, resetAt } = message
    const isToWait = () =>
      isNoted && resetAt > this.#visit.resetAt && !(Number(epochOf(this.#group.owner)) >= resetAt)
    if (this.#held !== undefined) this.#held.push(message)
    else if (!this.#followsResets || !isToWait()) this.#hear(message)
    else {
      const held: Message[] = (this.#held = [])
      const end = () => {
        this.#clock.clearTimeout(timer)
        unlisten()
        this.#held = undefined
        this.#hear(message)
        for (const each of held) this.#receive(each)
      }
      const timer = this.#clock.setTimeout(end, noteWait)
      const unlisten = listen(globalThis, ['storage'], () => {
        if (!isToWait()) end()
      })
    }
  }

  #hear(message: Message): void {
    if (this.#channel === undefined) return
    this.#hasOthers = true
    const { type, resetAt, since } = message
    if (this.#followsResets) this.#followResets(message)
    if (type === 'opened') this.post({ type: 'here' })
    // Another tab has not heard of the last reset yet.
    const isLate = this.#followsResets && Math.max(resetAt, since) < this.#visit.resetAt
    if (type === 'done' && this.#isOf(message) && !isLate) this.#taker.take(message)
  }

  /** Resets this tab, if another one was reset since it has its data: it may not have been open then, or not have heard of it. */
  #followResets({ type, resetAt, isNoted }: Message): void {
    const visit = this.#visit
    if (resetAt <= visit.resetAt) return
    this.#visit = { ...visit, resetAt, isNoted }
    if (type === 'reset' || resetAt >= visit.since) this.#taker.takeReset()
  }
}
