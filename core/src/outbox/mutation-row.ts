import type { OutboxFailure } from '../controller/outbox-of.js'
import { fromPlainError } from '../hydration/plain-error.js'
import type { Storable } from '../storage/row-storage.js'
import { toPlainError } from '../store/hydration/dehydrate.js'
import type { PlainError } from '../store/hydration/dehydrated-state.js'

/** A mutation as it is written down. */
export interface MutationRow {
  readonly version: 1
  /** The name of its endpoint. */
  readonly endpoint: string
  /** What its endpoint is known by. */
  readonly address: string
  /** Packed. */
  readonly args: Storable
  readonly temporaryId: string | null
  /** When it was made: milliseconds since the epoch. */
  readonly at: number
  /** The idempotency key; `null` without. */
  readonly key: string | null
  /** The tab that made it. */
  readonly tab: string
  /** What it touches: mutations that share one of these are sent in order. */
  readonly touches: readonly string[]
  /** Counts edits. */
  readonly edits: number
  /** `true` once it may have reached the server. */
  readonly isSent: boolean
  /** `true` if the tab that made it held it back when it was written: see `SendingLock.hold`. */
  readonly isHeld?: boolean
  readonly attempts: number
  readonly retryAt: number | null
  /** How long that is from the failure, in milliseconds: another page may have another time, also after a change of the clock. */
  readonly waitMs?: number
  readonly failed: { readonly reason: OutboxFailure; readonly error: Storable } | null
  /** The answer, for the other tabs. The response is packed; `null` if it could not be. */
  readonly done: {
    readonly response: Storable
    readonly hasResponse: boolean
    readonly at: number
    /** `true` if it may be the response to an earlier attempt. */
    readonly isRepeated?: boolean
  } | null
}

/** A mutation that was not sent yet. @param at - when it was made */
export function makeRow(
  at: number,
  about: Pick<MutationRow, 'address' | 'endpoint' | 'key' | 'tab'> = {
    address: '',
    endpoint: '',
    key: null,
    tab: '',
  },
): MutationRow {
  return {
    version: 1,
    args: null,
    temporaryId: null,
    at,
    touches: [],
    edits: 0,
    isSent: false,
    attempts: 0,
    retryAt: null,
    failed: null,
    done: null,
    ...about,
  }
}

/** When the mutation of a row is sent again: after its wait at the latest. @param now - in this page */
export function retryAtOf({ retryAt, waitMs = Infinity }: MutationRow, now: number): number | undefined {
  return retryAt === null ? undefined : Math.min(retryAt, now + waitMs)
}

/** The beginning of the keys of a scope's mutations. */
export function rowPrefix(scope: string): string {
  return `outbox/${scope}/`
}

/** The beginning of the keys of the real ids that a scope's mutations need. */
export function idPrefix(scope: string): string {
  return `outbox-id/${scope}/`
}

/** Returns a stored row. @throws for one of which a part is missing, or has another form: what is left of it is not to be trusted */
export function toMutationRow(stored: Storable): MutationRow {
  const row = stored as unknown as MutationRow
  const { at, attempts, done, edits, failed, key, retryAt, temporaryId, touches, version, waitMs } = row
  const isWhole = Object.entries(makeRow(0)).every(([name, form]) => {
    const part = row[name as keyof MutationRow]
    return form === null ? part !== undefined : typeof part === typeof form
  })
  const isOne =
    isWhole &&
    [key ?? '', temporaryId ?? '', ...touches].every((text) => typeof text === 'string') &&
    // A sum with anything but numbers is none.
    Number.isFinite(at + attempts + edits + (retryAt ?? 0) + (waitMs ?? 0) + (done === null ? 0 : done.at))
  if (version !== 1 || !isOne) throw new TypeError()
  if (failed !== null) unpackError(failed.error)
  return row
}

/** An error as plain data, with what the server said of it. */
export function packError(error: Error): Storable {
  let body: string | undefined
  try {
    body = JSON.stringify((error as { readonly body?: unknown }).body)
  } catch {
    // A body that is not plain is left out.
  }
  return { ...toPlainError(error), ...(body !== undefined && { body }) }
}

export function unpackError(packed: Storable): Error {
  const { body, ...plain } = packed as unknown as PlainError & { readonly body?: string }
  return Object.assign(fromPlainError(plain), body !== undefined && { body: JSON.parse(body) as unknown })
}

/** Copies packed data with other texts; the data itself if none differs. */
export function mapPackedTexts(
  packed: Storable | undefined,
  map: (text: string) => Storable,
): Storable | undefined {
  if (typeof packed === 'string') return map(packed)
  if (typeof packed !== 'object' || packed === null || packed instanceof Uint8Array) return packed
  if (Array.isArray(packed)) return packed.map((part) => mapPackedTexts(part as Storable, map) ?? null)
  return Object.fromEntries(Object.entries(packed).map(([name, part]) => [name, mapPackedTexts(part, map)]))
}

/** The temporary ids of any tab. */
export const temporaryIds = /new-[a-z\d]+-\d+/g

/** The temporary ids in packed data. */
export function temporaryIdsIn(packed: Storable): ReadonlySet<string> {
  const ids = new Set<string>()
  mapPackedTexts(packed, (text) => {
    for (const [id] of text.matchAll(temporaryIds)) ids.add(id)
    return text
  })
  return ids
}
