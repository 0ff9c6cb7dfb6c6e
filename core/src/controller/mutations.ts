import { development } from '#development'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { SelfsameError, warn } from '../errors.js'
import { contractOf, manyPlansOf, namedRecords, plansOf, schemasIn } from '../schema/contract-of.js'
import { MembersSchema } from '../schema/members-schema.js'
import type { SchemaContract } from '../schema/schema.js'
import type { Layer } from '../store/optimistic/layers.js'
import { RecordNode, sentOf } from '../store/records.js'
import { noResult } from '../store/results.js'
import type { OwnFields } from '../store/stamp.js'
import type { Store } from '../store/store.js'
import type { Transaction } from '../store/transaction.js'
import { isPlainObject, isSamePlain } from '../util/plain.js'
import { judgePayload, keyOf, nameOf, Requests } from './requests.js'
import type { CallAttempt, ControllerContext, Request } from './requests.js'
import { bringsNewRecord, watchUnjoined } from './unjoined.js'
import { updateCalls } from './update.js'
import type { UpdateSource } from './update.js'

/** A mutation in flight. A class: an object literal with getters has a hidden class of its own each time, which engines make slowly. */
export class MutationRequest implements Request {
  declare readonly endpoint: EndpointLike
  declare args: readonly unknown[]
  declare readonly start: number
  declare readonly resolve: (value: unknown) => void
  /** Replaced where another request settles the promise. */
  declare reject: (error: Error) => void
  /** The id of the record that it creates, until the server has given one. @default a new one */
  declare readonly temporaryId: string | undefined
  attempts: readonly CallAttempt[] = []
  declare isSent?: boolean
  /** Settles the promise, after readers were notified: a component that renders in a microtask has rendered by then. */
  settle: (() => void) | undefined
  #abort: AbortController | undefined
  #key: string | undefined
  /** With temporary ids, also once it is sent. */
  readonly #given: readonly unknown[]

  constructor(
    given: Pick<MutationRequest, 'args' | 'endpoint' | 'reject' | 'resolve' | 'start' | 'temporaryId'>,
  ) {
    Object.assign(this, given)
    this.#given = given.args
  }

  get key(): string {
    return (this.#key ??= keyOf(this.endpoint, this.#given))
  }

  /** Made on demand: without middleware nobody sees it. */
  get abort(): AbortController {
    return (this.#abort ??= new AbortController())
  }
}

/** The members of a mutation that an optimistic response needs. */
export type EarlyMutation = Pick<MutationRequest, 'endpoint' | 'args' | 'start' | 'temporaryId'>

/** Shows the optimistic response of a mutation: the `show` of a function made by `optimistic`. */
export type ShowEarly = (context: ControllerContext, mutation: EarlyMutation) => void

/** The mutations of a Controller. Each may show an optimistic response while it is in flight. */
export class Mutations extends Requests<MutationRequest> {
  constructor(context: ControllerContext) {
    super(context, 'mutation')
  }

  /**
   * Sends a mutation.
   *
   * @param temporaryId - that of the same mutation before a reload @default a new one
   * @param start - its place in the store's sequence @default the next one
   * @returns the data as it is read from the cache; for a delete or without a schema, the processed response
   */
  make(
    endpoint: EndpointLike,
    args: readonly unknown[],
    temporaryId?: string,
    start = this.context.store.nextSequence(),
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = new MutationRequest({ endpoint, args, start, temporaryId, resolve, reject })
      const begin = () => {
        const show = endpoint.getOptimisticResponse?.show as ShowEarly | undefined
        if (endpoint.signal?.aborted !== true) show?.(this.context, request)
      }
      this.send(request, begin, {})
    })
  }

  /**
   * Stores a response.
   *
   * @param start - of its request @default none: it came in another way, such as a push message
   * @param isUnshared - `true` if only the transport has seen the payload
   * @returns the value of the mutation's promise
   */
  store(
    endpoint: EndpointLike,
    args: readonly unknown[],
    answer: unknown,
    start?: number,
    isUnshared = false,
  ): unknown {
    if (answer !== null && answer !== undefined) judgePayload(endpoint, answer)
    const { update } = endpoint
    if (endpoint.schema === undefined && update === undefined) return answer
    const { store, layers } = this.context
    const schema = endpoint.schema === undefined ? undefined : contractOf(endpoint.schema)
    // What a deletion of many names is gone, although the server does not repeat it.
    const response = answer ?? (removesMany(schema) && Array.isArray(args.at(-1)) ? args.at(-1) : answer)
    const shown = isRead(schema) ? schema : undefined
    // What the caller sent stays as it is.
    const isOwned = endpoint.ownsPayload === true && shown !== undefined && isUnshared && response === answer
    const layer = start === undefined ? undefined : layers?.of(start)
    const name = nameOf(endpoint)
    // A list is read where several records were sent, or where nothing tells how many there are.
    const isOne = isPlainObject(args.at(-1)) && ('path' in endpoint || layer?.response !== undefined)
    const isList = schema?.recordSchema !== undefined && Array.isArray(response)
    if (isList && isOne && manyPlansOf(schema, args).length === 0)
      throw errors.unexpectedKind(name, '', development ? 'one record' : '', response)
    const echo = shown && echoOf(store, shown, response, args)
    const isEmpty = response === null || response === undefined || echo?.isEmpty === true
    // A success without a body, or without the primary key, confirms the optimistic response.
    const isConfirmed =
      shown !== undefined && (isEmpty || echo !== undefined) && layer?.response !== undefined
    const received = echo?.isEmpty === true ? null : response
    const payload = !isConfirmed
      ? received
      : isEmpty
        ? layer.response
        : { ...(layer.response as object), ...(received as object) }
    const isPartial = endpoint.isPartial === true || isConfirmed
    const origin = { args, name, isOwned: isOwned && !isConfirmed, isPartial, pk: echo?.pk }
    const own = ownFieldsOf(endpoint, args, schema, layer)
    const isCreated =
      development && start !== undefined && bringsNewRecord(this.context, schema, payload, args)
    const request = start === undefined ? undefined : ({ kind: 'mutation', start, own } as const)
    const write = () =>
      this.context.write(
        endpoint,
        (transaction) => {
          const stored = schema === undefined ? undefined : transaction.ingest(schema, payload, origin)
          transaction.confirmOwn()
          const isUntold = isConfirmed
            ? layers?.confirm(layer, transaction, stored, shown, args) === false
            : isEmpty ||
              (shown !== undefined &&
                echo === undefined &&
                (lacksOwn(stored, response, own) || renames(transaction, endpoint, shown, args)))
          if (shown !== undefined && isUntold) transaction.expireRecordAndLists(shown, args)
          if (update !== undefined) {
            const source: UpdateSource = layers?.read() ?? store
            const value = shown === undefined ? payload : source.readOnce(shown, stored, args)
            updateCalls(source, transaction, endpoint, value, args, false)
          }
          return stored
        },
        request,
      )
    // One batch: readers see the optimistic response, then the real one, and nothing in between.
    let result: unknown
    let isWritten = false
    store.open()
    try {
      store.holdUnreadable()
      result = layers === undefined ? write() : layers.settle(layer, update !== undefined, write)
      isWritten = true
    } finally {
      // Released after the mutation's promise has resolved and the code that awaits it has continued.
      const unhidden = isWritten ? layers?.takeUnhidden() : undefined
      store.releaseLater([...(unhidden ?? []), ...store.takeHeld(isWritten)])
      store.close()
    }
    if (development && isCreated) watchUnjoined(this.context, endpoint, args, result)
    if (shown === undefined) return response
    const value = store.readOnce(shown, result, args)
    return value === null && isEmpty ? this.#storedFor(endpoint, shown, args) : value
  }

  /** Returns the stored record that a mutation without a body names; `null` if there is none. */
  #storedFor(endpoint: EndpointLike, schema: SchemaContract, args: readonly unknown[]): unknown {
    const record = schema.recordSchema === undefined ? schema : contractOf(schema.recordSchema)
    const value = plansOf(record).length > 0 ? this.context.store.readOnce(record, noResult, args) : undefined
    if (development && value === undefined) noteEmpty(endpoint)
    return value ?? null
  }

  protected override keep(request: MutationRequest, payload: unknown, isUnshared: boolean): void {
    const { endpoint, args, start, resolve } = request
    const value = this.store(endpoint, args, payload, start, isUnshared)
    request.settle = () => resolve(value)
  }

  protected override drop(request: MutationRequest, error: Error, isGivenUp: boolean): void {
    const { store, layers } = this.context
    const { start, reject, endpoint, args, isSent } = request
    request.settle = () => reject(error)
    layers?.takeBack(start, error, isGivenUp)
    const schema = endpoint.schema === undefined ? undefined : contractOf(endpoint.schema)
    if (isSent && !isGivenUp && schema !== undefined && mayBeDone(error))
      this.context.write(endpoint, (transaction) => transaction.expireRecordAndLists(schema, args, true), {
        kind: 'mutation',
        start,
      })
    store.release(layers?.takeUnhidden() ?? [])
  }

  /** Readers fetch the calls whose responses the mutation hid. */
  protected override end({ attempts, settle }: MutationRequest): void {
    const { store, hidden } = this.context
    for (const attempt of attempts) {
      this.context.use(attempt.call)
      store.move(attempt.call, { type: 'settled', attempt })
      store.notify()
    }
    const calls = [...hidden]
    hidden.clear()
    for (const call of calls) this.renew(call)
    settle?.()
  }
}

/** A response without the primary key of the record that the arguments name. */
interface Echo {
  readonly pk: string
  /** `true` if it tells nothing of a record that is known. */
  readonly isEmpty: boolean
}

/**
 * Recognizes the response of a server that sends back what it received, without the id that is in the address: `{}`, or an object
 * with a field of the record.
 */
function echoOf(
  store: Store,
  schema: SchemaContract,
  response: unknown,
  args: readonly unknown[],
): Echo | undefined {
  if (!isPlainObject(response)) return undefined
  const names = Object.keys(response)
  // An envelope has the record in a field.
  if (names.length > 0 && schemasIn(schema)[0] !== schema) return undefined
  const [plan] = plansOf(schema, names.length === 0 ? undefined : response)
  const pk = plan?.pkOfArgs(args)
  if (plan === undefined || pk === undefined) return undefined
  if (plan.pkOfArgs([plan.process(response, undefined, undefined, args)]) !== undefined) return undefined
  const table = store.table(plan)
  const fields = store.find(table, table.realPk(pk))?.fields
  const known = { ...plan.create(), ...fields, ...(args.at(-1) as object) }
  if (names.length > 0 && !names.some((name) => Object.hasOwn(known, name))) return undefined
  return { pk, isEmpty: names.length === 0 || fields === undefined }
}

/** The kinds of schemas that add a record to lists. */
const creates = new Set<unknown>(['push', 'unshift', 'assign'])

/** The fields that a mutation writes itself: those of its body, and those that its optimistic response changed. */
export function ownFieldsOf(
  endpoint: EndpointLike,
  args: readonly unknown[],
  schema: SchemaContract | undefined,
  layer?: Layer,
): OwnFields {
  const last = args.at(-1)
  const named = schema === undefined ? [] : namedRecords(schema, args)
  const { method } = endpoint as { readonly method?: unknown }
  const parts = schema === undefined ? [] : (schemasIn(schema) as readonly { readonly kind?: unknown }[])
  // A create may name its record, too: the client chose the id.
  const isCreate = parts.some(({ kind }) => creates.has(kind))
  return {
    args: Array.isArray(last) && named.length === 0 ? [] : args,
    makes: method === 'PUT' || isCreate ? 'all' : named.length === 0 ? 'new' : 'none',
    expected: layer?.own,
  }
}

/**
 * Returns `true` if a response leaves out a field that the body of its mutation wrote, and the stored record has another value:
 * only the server knows what it made of the field. So it is if the response does not name a class of its Union, and stores nothing.
 */
function lacksOwn(result: unknown, response: unknown, own: OwnFields): boolean {
  if (Array.isArray(response) && Array.isArray(result))
    return response.some((each, index) => lacksOwn(result[index], each, own))
  const [kind, member] = Array.isArray(result) ? (result as readonly unknown[]) : []
  if (kind === null) return true
  const stored = typeof kind === 'string' ? member : result
  if (!(stored instanceof RecordNode) || !isPlainObject(response) || own.expected !== undefined) return false
  const { fields = {} } = stored
  const body = sentOf(own.args, stored) ?? {}
  return Object.keys(body).some(
    (name) =>
      !Object.hasOwn(response, name) && Object.hasOwn(fields, name) && !isSamePlain(fields[name], body[name]),
  )
}

/**
 * Returns `true` if a response has another record of the class in place of the one that the arguments name: it got another primary key.
 * A POST may answer with a copy, or a reply.
 */
function renames(
  transaction: Transaction,
  endpoint: EndpointLike,
  schema: SchemaContract,
  args: readonly unknown[],
): boolean {
  if ((endpoint as { readonly method?: unknown }).method === 'POST' || Array.isArray(args.at(-1)))
    return false
  return plansOf(schema).some((plan) => {
    const pk = plan.pkOfArgs(args)
    return pk !== undefined && transaction.lacks(plan, pk)
  })
}

/**
 * Returns `true` if the server may have done what a failed mutation asked for: no answer came, or an unusable one, or one of a gateway that
 * had waited too long.
 */
export function mayBeDone(error: Error & { readonly status?: unknown }): boolean {
  const { status } = error
  if (error instanceof SelfsameError) return status !== undefined
  return typeof status !== 'number' || status >= 500 || status === 408
}

/** The mutations that were told to resolve with nothing. */
const toldEmpty = new Set<string>()

function noteEmpty({ name, mayBeEmpty }: EndpointLike): void {
  if (mayBeEmpty === true || toldEmpty.has(name)) return
  toldEmpty.add(name)
  warn(
    `${name} succeeded without a body, and the record that it names is not stored, so it resolved with null. Set \`mayBeEmpty: true\` to add null to its type, or let the server send the record.`,
  )
}

function removesMany(schema: SchemaContract | undefined): boolean {
  return schema instanceof MembersSchema && contractOf(schema.member).isRemoving === true
}

/** Returns `true` if the response of a mutation is read from the cache. */
export function isRead(schema: SchemaContract | undefined): schema is SchemaContract {
  return schema !== undefined && schema.isRemoving !== true
}
