import { isSamePlain } from '../util/plain.js'
import { toOutboxMutation } from './entry.js'
import type { Entry } from './entry.js'
import type { OutboxMutation } from '../controller/outbox-of.js'

/** The mutations of the current scope, in their order. */
export class Entries {
  #all: readonly Entry[] = []
  readonly #byRequest = new Map<number, Entry>()
  readonly #tell: () => void

  /** @param tell - called after each change */
  constructor(tell: () => void) {
    this.#tell = tell
  }

  get all(): readonly Entry[] {
    return this.#all
  }

  /** The mutations as readers see them. */
  shown(): readonly OutboxMutation[] {
    return Object.freeze(this.#all.map(toOutboxMutation))
  }

  find(id: string): Entry | undefined {
    return this.#all.find((entry) => entry.id === id)
  }

  /** Puts a mutation into its place: ids sort as mutations were made. */
  add(entry: Entry): void {
    const index = this.#all.findIndex(({ id }) => id > entry.id)
    const place = index < 0 ? this.#all.length : index
    this.#all = [...this.#all.slice(0, place), entry, ...this.#all.slice(place)]
  }

  remove(entry: Entry): void {
    entry.letGo?.()
    this.#all = this.#all.filter((each) => each !== entry)
    this.#tell()
  }

  /** Removes all. */
  clear(): void {
    for (const { letGo } of this.#all) letGo?.()
    this.#all = []
    this.#byRequest.clear()
    this.#tell()
  }

  change(entry: Entry, changed: Partial<Entry>): void {
    const isSame = Object.entries(changed).every(([name, value]) =>
      isSamePlain(entry[name as keyof Entry], value),
    )
    if (isSame) return
    Object.assign(entry, changed)
    entry.shown = undefined
    this.#tell()
  }

  /** Called when the request of a mutation begins. */
  beginRequest(entry: Entry, requestId: number): void {
    entry.requestId = requestId
    this.#byRequest.set(requestId, entry)
    this.#tell()
  }

  ofRequest(requestId: number): Entry | undefined {
    return this.#byRequest.get(requestId)
  }

  /** Called when a request has ended, or belongs to no mutation any more. */
  endRequest(requestId: number): void {
    this.#byRequest.delete(requestId)
  }

  /** The mutations that name the record which a mutation creates. */
  dependentsOf({ row: { temporaryId } }: Entry): Entry[] {
    if (temporaryId === null) return []
    return this.#all.filter(
      ({ row }) => row.temporaryId !== temporaryId && row.touches.includes(`id ${temporaryId}`),
    )
  }
}
