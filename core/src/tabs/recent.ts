/** How long times are kept at least, in milliseconds. A request that was sent before is not taken from another tab. */
const keptLength = 60_000

/** When something was received last in any tab, as this tab knows. Milliseconds since the epoch. */
interface Times {
  /** The answer of a mutation, or a `set`. */
  readonly ownAt: number
  /** The request and the answer of a read. */
  readonly readFrom: number
  readonly readAt: number
  /** The tab of the read. */
  readonly readTab: string
}

const never: Times = { ownAt: -Infinity, readFrom: -Infinity, readAt: -Infinity, readTab: '' }

/** What was written or read, and when. */
export interface Span {
  /** `mutation` for what a tab wrote itself. */
  readonly kind: 'read' | 'mutation'
  /** The tab that has received it. */
  readonly tab: string
  /** When its request was sent, and when it was answered: milliseconds since the epoch. Equal without a request. */
  readonly from: number
  readonly at: number
  /** The names of the records, lists and calls that it changed. */
  readonly touched: readonly string[]
}

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
  /** When anything was written last. */
  #ownAt = -Infinity
  /** Times since then are known. */
  #since: number
  /** When the times of `#times` began. */
  #turnedAt: number

  constructor(now: number) {
    this.#since = now
    this.#turnedAt = now
  }

  /** Forgets all: nothing that was requested before is taken. */
  reset(now: number): void {
    this.#times.clear()
    this.#before.clear()
    this.#since = now
    this.#turnedAt = now
  }

  /** Notes what was received here, or taken from another tab. */
  note({ kind, tab, from, at, touched }: Span): void {
    this.#turn(at)
    if (kind === 'mutation') this.#ownAt = Math.max(at, this.#ownAt)
    for (const name of touched) {
      const before = this.#of(name)
      const isLater = at >= before.readAt
      this.#times.set(
        name,
        kind === 'mutation'
          ? { ...before, ownAt: Math.max(at, before.ownAt) }
          : isLater
            ? { ...before, readFrom: Math.max(from, before.readFrom), readAt: at, readTab: tab }
            : before,
      )
    }
  }

  /** Returns how what another tab received stands to what is known here. */
  standing(span: Span): Standing {
    if (span.from < this.#since) return 'older'
    // Which records it brings is not known: of those that it brings again nothing changes.
    if (span.kind === 'read' && this.#ownAt >= span.from) return 'beside'
    const standings = span.touched.map((name) =>
      span.kind === 'read' ? readStanding(span, this.#of(name)) : ownStanding(span, name, this.#of(name)),
    )
    const each = new Set(standings)
    return each.has('older') ? 'older' : each.has('beside') ? 'beside' : 'newer'
  }

  /** `true` for what was requested before the last reset, or too long ago. */
  isTooOld({ from }: Span): boolean {
    return from < this.#since
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
    this.#turnedAt = now
  }
}

/** Of two reads the later answer stays, in all tabs. */
function readStanding({ at, tab }: Span, known: Times): Standing {
  return known.readAt > at || (known.readAt === at && known.readTab > tab) ? 'older' : 'newer'
}

/** A read that was sent after the answer has it already. Members are added to a list by each mutation, in any order. */
function ownStanding({ from, at }: Span, name: string, known: Times): Standing {
  if (known.readFrom > at) return 'older'
  if (isRecord(name) && known.ownAt >= from) return known.ownAt > at ? 'older' : 'beside'
  return known.readAt >= from ? 'beside' : 'newer'
}

/** The name of a record, a list or a call in all tabs. */
export const toldNameOf = {
  record: (key: string, pk: string) => `record ${key} ${pk}`,
  list: (key: string | undefined, args: unknown, call: string | undefined) =>
    `list ${call ?? key ?? ''} ${JSON.stringify(args)}`,
  call: (key: string) => `call ${key}`,
}

function isRecord(name: string): boolean {
  return name.startsWith('record ')
}
