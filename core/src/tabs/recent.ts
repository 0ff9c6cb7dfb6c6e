/** How long times are kept at least, in milliseconds. A request that was sent before is not taken from another tab. */
const keptLength = 60_000

/** When something was received last in any tab, as this tab knows. Milliseconds since the epoch. */
interface Times {
  /** The answer of a mutation, or a `set`. */
  readonly ownAt: number
  /** The request and the answer of a read. */
  readonly readFrom: number
  readonly readAt: number
  /** A message that the server pushed. */
  readonly pushedAt: number
}

const never: Times = {
  ownAt: -Infinity,
  readFrom: -Infinity,
  readAt: -Infinity,
  pushedAt: -Infinity,
}

/** What was written or read, and when. */
export interface Span {
  /** `mutation` for what a tab wrote itself, `push` for what came without a request. */
  readonly kind: 'read' | 'mutation' | 'push'
  /** The tab that has received it. */
  readonly tab: string
  /**
   * When its request was sent, and when it was answered: milliseconds since the epoch. Equal without a request. Within one tab no two
   * moments are equal: parts of a millisecond number them.
   */
  readonly from: number
  readonly at: number
  /** By other tab, the last moment that its tab had heard of when the request was sent. */
  readonly heard?: Readonly<Record<string, number>> | undefined
  /** The names of the records, lists and calls that it changed. */
  readonly touched: readonly string[]
}

/** A moment in a tab. */
export type Moment = Pick<Span, 'at' | 'tab'>

/** How what another tab received stands to what this tab knows. */
export type Standing =
  /** It was requested after all that this tab knows was received. */
  | 'newer'
  /** Nobody knows which of the two the server made last. */
  | 'beside'
  /** What this tab knows is newer, or was received later. */
  | 'older'

/** When records, lists and calls were received last: kept for a minute, which is more than a request takes. */
export class Recent {
  #times = new Map<string, Times>()
  #before = new Map<string, Times>()
  /** By tab, when anything was written last. */
  readonly #ownAt = new Map<string, number>()
  /** By call, when it was expired or invalidated last. */
  #aged = new Map<string, Moment>()
  /** Times since then are known. */
  #since = -Infinity
  /** When the times of `#times` began. */
  #turnedAt = -Infinity

  /** Takes nothing any more that was requested before. */
  reset(now: number): void {
    this.#since = now
  }

  /** Notes what was received here, or taken from another tab. */
  note({ kind, tab, from, at, touched }: Span): void {
    this.#turn(at)
    if (kind === 'mutation') this.#ownAt.set(tab, at)
    for (const name of touched) {
      const before = this.#of(name)
      if (kind === 'mutation') this.#times.set(name, { ...before, ownAt: Math.max(at, before.ownAt) })
      else if (at >= before.readAt) {
        const pushedAt = kind === 'push' ? at : before.pushedAt
        this.#times.set(name, { ...before, readFrom: from, readAt: at, pushedAt })
      }
    }
  }

  /** Notes that calls were expired or invalidated. */
  noteAged(keys: readonly string[], { at, tab }: Moment): void {
    for (const key of keys) {
      const before = this.#aged.get(key)
      if (before === undefined || before.at <= at) this.#aged.set(key, { at, tab })
    }
  }

  /** Returns how what another tab received stands to what is known here. */
  standing(span: Span): Standing {
    if (span.from < this.#since) return 'older'
    // Which records it brings is not known: of those that it brings again nothing changes.
    if (span.kind !== 'mutation' && this.#isSuperseded(span)) return 'beside'
    const standings = span.touched.map((name) =>
      span.kind === 'mutation' ? ownStanding(span, name, this.#of(name)) : readStanding(span, this.#of(name)),
    )
    const each = new Set(standings)
    return each.has('older') ? 'older' : each.has('beside') ? 'beside' : 'newer'
  }

  /** `true` for a read that was sent before something was written, or before its call was expired. */
  #isSuperseded({ from, tab, heard, touched }: Span): boolean {
    const sent = { at: from, tab, heard }
    for (const [writer, at] of this.#ownAt) if (isSince({ at, tab: writer }, sent)) return true
    return touched.some((name) => {
      const aged = name.startsWith(callPrefix) ? this.#aged.get(name.slice(callPrefix.length)) : undefined
      return aged !== undefined && isSince(aged, sent)
    })
  }

  #of(name: string): Times {
    return this.#times.get(name) ?? this.#before.get(name) ?? never
  }

  /** Drops times that nobody needs any more. */
  #turn(now: number): void {
    if (now < this.#turnedAt + keptLength) return
    this.#since = Math.max(this.#since, this.#turnedAt)
    this.#before = this.#times
    this.#times = new Map()
    this.#aged = new Map([...this.#aged].filter(([, { at }]) => at >= this.#since))
    this.#turnedAt = now
  }
}

/**
 * Returns `true` unless the first moment was before the second. Of two tabs nobody knows the order within a millisecond, unless one had
 * heard of the other.
 */
function isSince(first: Moment, second: Moment & Pick<Span, 'heard'>): boolean {
  if ((second.heard?.[first.tab] ?? -Infinity) >= first.at) return false
  return first.tab === second.tab ? first.at >= second.at : Math.floor(first.at) >= Math.floor(second.at)
}

/** Of two reads the later answer stays, in all tabs. What was pushed since a read was sent may be newer than its answer. */
function readStanding({ kind, from, at }: Span, known: Times): Standing {
  if (known.readAt > at) return 'older'
  return kind === 'read' && Math.floor(known.pushedAt) >= Math.floor(from) ? 'beside' : 'newer'
}

/** A read that was sent after the answer has it already. Members are added to a list by each mutation, in any order. */
function ownStanding(span: Span, name: string, known: Times): Standing {
  const [from, at] = [Math.floor(span.from), Math.floor(span.at)]
  const [readFrom, readAt, ownAt] = [known.readFrom, known.readAt, known.ownAt].map(Math.floor) as [
    number,
    number,
    number,
  ]
  if (readFrom > at) return 'older'
  if (isRecordName(name) && ownAt >= from) return ownAt > at ? 'older' : 'beside'
  return readAt >= from ? 'beside' : 'newer'
}

const callPrefix = 'call '

/** The name of a record, a list or a call in all tabs. */
export const toldNameOf = {
  record: (key: string, pk: string) => `record ${key} ${pk}`,
  list: (key: string | undefined, args: unknown, call: string | undefined) =>
    `list ${call ?? key ?? ''} ${JSON.stringify(args)}`,
  call: (key: string) => callPrefix + key,
}

/** The record of a name; `undefined` for the name of a list or a call. */
export function recordOfName(name: string): { readonly key: string; readonly pk: string } | undefined {
  const [, key = '', ...pk] = name.split(' ')
  return isRecordName(name) ? { key, pk: pk.join(' ') } : undefined
}

function isRecordName(name: string): boolean {
  return name.startsWith('record ')
}
