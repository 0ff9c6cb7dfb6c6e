import * as errors from '../../errors.js'
import { getOrMake } from '../../util/get-or-make.js'
import { isPlainObject, setOwn } from '../../util/plain.js'
import { createSettleable } from '../../util/settleable.js'
import type { Settleable } from '../../util/settleable.js'
import type { Attempt, Call, CallEvent } from '../call.js'
import type { ListNode } from '../list-node.js'
import { holds } from '../list-members.js'
import { RecordNode } from '../records.js'

/** Temporary ids of any Controller. */
const anyTemporaryId = /new-[a-z\d]+-\d+/g

/** A mutation that shows a record with a temporary id. */
interface Create {
  /** The start of the mutation, the latest one if it was sent anew. */
  start: number
  /** The id that the server gave; `undefined` before the response, and if it did not say. */
  id: unknown
  error: Error | undefined
  /** Settled with the mutation; never rejected. */
  ended: Settleable<undefined>
  isEnded: boolean
}

/** A request, as far as its arguments decide who waits for it. */
interface RenamedRequest {
  readonly endpoint: { key(...args: never[]): string }
  args: readonly unknown[]
  attempts: readonly (Attempt & { readonly call: Call })[]
}

/** The calls of a store. */
interface CallTable {
  call(given: Pick<Call, 'key' | 'schema' | 'args' | 'reader'>): Call
  move(call: Call, event: CallEvent): void
}

/** The place of a mutation among several that are sent one after the other. */
export interface Queued {
  /** Settled with the mutation before it. */
  readonly before: Promise<unknown>
  /** The start of that mutation; `undefined` for the first one. */
  readonly after: number | undefined
  /** Called when the mutation has failed. */
  readonly fail: (start: number, error: Error) => void
}

/**
 * Created records whose primary keys are not known: until the response, and after a response without a body. Then they keep
 * their temporary keys until the lists that they joined are loaded again.
 *
 * A request that names a temporary id waits for the mutation that creates the record, and is sent with the real id.
 */
export class UnnamedRecords {
  /** Begins all temporary ids: unique over Controllers, tabs and reloads, and fit for an address. */
  readonly #prefix = `new-${randomPart()}${randomPart()}-`
  /** The ids that mutations had before a reload, by their starts. */
  readonly #given = new Map<number, string>()
  /** `true` since there was a temporary id, also after a reset: the ids from before must not be sent. */
  #isUsed = false
  /** By temporary id. */
  readonly #creates = new Map<string, Create>()
  readonly #listsOf = new Map<RecordNode, readonly ListNode[]>()
  /** Temporary primary keys, unknown to the server. */
  readonly #pks = new Set<string>()
  /** By start, the mutations that are sent one after the other. */
  readonly queued = new Map<number, Queued>()

  /** @param lists - the lists that the record joined */
  add(node: RecordNode, lists: readonly ListNode[]): void {
    this.#isUsed = true
    this.#pks.add(node.pk)
    this.#listsOf.set(node, lists)
  }

  clear(): void {
    this.#listsOf.clear()
    this.#pks.clear()
    this.#creates.clear()
    this.queued.clear()
  }

  /**
   * The temporary id of a mutation.
   *
   * @param start - of the mutation
   * @param given - its id from before a reload
   */
  idOf(start: number, given?: string): string {
    if (given !== undefined) this.#given.set(start, given)
    return this.#given.get(start) ?? `${this.#prefix}${start}`
  }

  /** The temporary id that a mutation shows, or by which another one waits for it; `undefined` if it has none. */
  shownIdOf(start: number): string | undefined {
    const id = this.idOf(start)
    return this.#creates.has(id) || this.queued.has(start) ? id : undefined
  }

  /** The temporary id of the mutation that one of several is sent after; `undefined` if there is none. */
  idBefore(start: number): string | undefined {
    const after = this.queued.get(start)?.after
    return after === undefined ? undefined : this.idOf(after)
  }

  /** The id that the server gave in place of a temporary one; `undefined` if it has given none. */
  realIdOf(temporary: string): unknown {
    return this.#creates.get(temporary)?.id
  }

  /** Called when a mutation shows its temporary id. */
  begin(start: number): void {
    this.#isUsed = true
    const create = getOrMake(this.#creates, this.idOf(start), makeCreate)
    if (start <= create.start) return
    // The mutation is sent anew: how it ended before counts no more.
    const { ended, isEnded } = create
    Object.assign(create, makeCreate(), { start }, isEnded ? undefined : { ended })
  }

  /**
   * Called when a mutation succeeded: the real id stands in the response where the temporary one was expected.
   *
   * @param response - normalized
   */
  end(start: number, expected: unknown, response: unknown): void {
    const temporary = this.idOf(start)
    this.#settle(start, { id: valueInPlaceOf(temporary, expected, response), error: undefined })
  }

  /** Called when another tab was told the id of a record. */
  name(temporary: string, id: unknown): void {
    this.#isUsed = true
    const create = getOrMake(this.#creates, temporary, makeCreate)
    Object.assign(create, { id, error: undefined, isEnded: true })
    create.ended.resolve(undefined)
  }

  fail(start: number, error: Error): void {
    this.#settle(start, { id: undefined, error })
  }

  #settle(start: number, outcome: Pick<Create, 'id' | 'error'>): void {
    const create = this.#creates.get(this.idOf(start))
    if (create?.start !== start || create.isEnded) return
    Object.assign(create, outcome, { isEnded: true })
    create.ended.resolve(undefined)
    this.#given.delete(start)
  }

  /** Returns `true` if arguments name a record whose mutation is under way. */
  isAwaited(args: readonly unknown[]): boolean {
    return this.#isUsed && this.#idsIn(args).some((id) => this.#creates.get(id)?.isEnded === false)
  }

  /**
   * Returns the arguments of a request with real ids in place of temporary ones, anywhere in params and body.
   *
   * @param start - of a mutation that may be one of several
   * @returns the arguments themselves if they name none; a promise while a mutation that creates one, or is sent before it, is under way
   * @throws {SelfsameError} `create-failed` if such a mutation failed; `argument-invalid` if its response had no id
   */
  named(
    name: string,
    args: readonly unknown[],
    start = NaN,
  ): readonly unknown[] | Promise<readonly unknown[]> {
    const queued = this.queued.get(start)
    if (queued !== undefined) return queued.before.then(() => this.named(name, args))
    if (!this.#isUsed) return args
    const ids = this.#idsIn(args)
    if (ids.length === 0) return args
    const creates = ids.map((id) => this.#creates.get(id))
    for (const [index, create] of creates.entries()) {
      const id = ids[index] as string
      if (create?.error !== undefined) throw errors.createFailed(name, id, create.error)
      if (create === undefined || (create.isEnded && create.id === undefined))
        throw errors.temporaryIdSent(name, id)
    }
    const waiting = creates.filter((create) => create?.isEnded === false)
    if (waiting.length > 0)
      return Promise.all(waiting.map((create) => create?.ended.promise)).then(() => this.named(name, args))
    return this.withKnownIds(args)
  }

  /** Gives a request the arguments that it is sent with. A reader that names the real ids from now on joins a read. */
  rename(store: CallTable, request: RenamedRequest, args: readonly unknown[]): void {
    const { endpoint, attempts, args: before } = request
    const [first] = attempts
    request.args = args
    if (args === before || first === undefined) return
    const { schema, reader } = first.call
    const call = store.call({ key: endpoint.key(...(args as never[])), schema, args, reader })
    if (attempts.some((attempt) => attempt.call === call)) return
    const attempt = { ...first, args, call, answer: createSettleable(), holders: 0, isWaitedFor: false }
    request.attempts = [...attempts, attempt]
    store.move(call, { type: 'asked', attempt })
  }

  /** As `named`, at once; `undefined` if an id is not known, or never will be. */
  namedNow(args: readonly unknown[]): readonly unknown[] | undefined {
    try {
      const named = this.named('', args)
      return named instanceof Promise ? undefined : named
    } catch {
      return undefined
    }
  }

  /** Returns a value with those real ids that are known in place of temporary ones. */
  withKnownIds<Value>(value: Value): Value {
    if (!this.#isUsed) return value
    const real = (id: string) => this.#creates.get(id)?.id
    return mapTexts(
      value,
      (text) => real(text) ?? text.replace(anyTemporaryId, (id) => String(real(id) ?? id)),
    ) as Value
  }

  /** What stands for the mutation that creates a record; `undefined` if it shows no temporary id. */
  createOf(start: number): object | undefined {
    return this.#creates.get(this.idOf(start))
  }

  /** Settled with the mutation that creates a record. */
  ended(start: number): Promise<unknown> | undefined {
    return this.#creates.get(this.idOf(start))?.ended.promise
  }

  /** What stands for the other mutations under way whose temporary ids a value contains. @param start - of its own mutation */
  awaitedIn(value: unknown, start: number): readonly object[] {
    const creates = this.#isUsed ? this.#idsIn(value).map((id) => this.#creates.get(id)) : []
    return creates.filter((create) => create?.isEnded === false && create.start !== start) as object[]
  }

  /** The temporary ids that a value contains, in any text. */
  #idsIn(value: unknown): readonly string[] {
    const ids = new Set<string>()
    mapTexts(value, (text) => {
      for (const [id] of text.matchAll(anyTemporaryId))
        if (id.startsWith(this.#prefix) || this.#creates.has(id)) ids.add(id)
      if (this.#pks.has(text)) ids.add(text)
      return text
    })
    return [...ids]
  }

  /** The records that no list holds any more after this list was loaded. */
  leftBy(list: ListNode): RecordNode[] {
    const left: RecordNode[] = []
    for (const [node, lists] of this.#listsOf) {
      if (node.fields === undefined) this.#listsOf.delete(node)
      else if (lists.includes(list) && !lists.some(({ members }) => holds(members, node))) left.push(node)
    }
    return left
  }
}

function makeCreate(): Create {
  return { start: -1, id: undefined, error: undefined, ended: createSettleable<undefined>(), isEnded: false }
}

function randomPart(): string {
  return Math.random().toString(36).slice(2)
}

/** Returns the value of a response that stands where a text is expected; `undefined` if there is none, or the text itself. */
function valueInPlaceOf(text: string, expected: unknown, response: unknown): unknown {
  // A list of work in place of recursion: a body may have any depth.
  const pairs: (readonly [expected: unknown, found: unknown])[] = [[expected, response]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [part, given] = pair
    if (part === text) {
      if ((typeof given === 'string' || typeof given === 'number') && given !== text) return given
      continue
    }
    const found = given instanceof RecordNode ? given.fields : given
    if (typeof part !== 'object' || part === null || typeof found !== 'object' || found === null) continue
    for (const [name, member] of Object.entries(part).reverse()) {
      if (Object.hasOwn(found, name)) pairs.push([member, (found as Readonly<Record<string, unknown>>)[name]])
    }
  }
  return undefined
}

/** Copies a value with other texts; the value itself if none differs. Forms are copied too; files and dates stay. */
function mapTexts(
  value: unknown,
  map: (text: string) => unknown,
  known = new Map<object, unknown>(),
): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (known.has(value)) return known.get(value)
  // Until its parts are mapped, for a value that contains itself.
  known.set(value, value)
  const mapped = mapParts(value, (part) => mapTexts(part, map, known))
  known.set(value, mapped)
  return mapped
}

function mapParts(value: object, map: (part: unknown) => unknown): object {
  if (value instanceof FormData || value instanceof URLSearchParams) {
    const entries = [...value]
    const parts = entries.map(([, part]) => map(part))
    if (parts.every((part, index) => part === entries[index]?.[1])) return value
    const copy = value instanceof FormData ? new FormData() : new URLSearchParams()
    for (const [index, [name]] of entries.entries()) {
      const part = parts[index]
      copy.append(name, part instanceof Blob ? (part as never) : String(part))
    }
    return copy
  }
  let copy: object | undefined
  for (const [name, part] of Object.entries(value)) {
    const mapped = map(part)
    if (mapped === part) continue
    copy ??= Array.isArray(value)
      ? [...(value as unknown[])]
      : Object.assign(
          Object.create(isPlainObject(value) ? Object.prototype : Object.getPrototypeOf(value)) as object,
          value,
        )
    setOwn(copy, name, mapped)
  }
  return copy ?? value
}
