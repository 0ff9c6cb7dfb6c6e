import type { Controller } from '../controller/controller.js'
import { callsOf } from '../controller/calls.js'
import { expireUntold } from '../controller/expire-untold.js'
import type { KnownEndpoints } from '../controller/known-endpoints.js'
import { keyOf } from '../controller/requests.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { fromPlainError } from '../hydration/plain-error.js'
import { contractOf } from '../schema/contract-of.js'
import { DeleteSchema } from '../schema/delete.js'
import type { EntityClass, Schema, SchemaContract } from '../schema/schema.js'
import type { Told, ToldCall, ToldRecord } from './message.js'
import { recordOfName, toldNameOf } from './recent.js'

type TakenEntity = EntityClass<{ pk(): unknown }>

/** Stores what another tab has told, or makes it Stale. */
export class TakenData {
  readonly #controller: Controller
  readonly #known: KnownEndpoints

  constructor(controller: Controller, known: KnownEndpoints) {
    this.#controller = controller
    this.#known = known
  }

  /** `true` if this tab has one of these calls or records. @param touched - their names in all tabs */
  holdsAny(touched: readonly string[]): boolean {
    const { store } = callsOf(this.#controller)
    return touched.some((name) => {
      const record = recordOfName(name)
      if (record === undefined)
        return name.startsWith('call ') && store.results.has(name.slice('call '.length))
      return store.tables.get(record.key)?.nodes.has(record.pk) === true
    })
  }

  /** Stores what was told. Does nothing if this tab does not know its endpoint or class. */
  store(told: Told): void {
    if (told.type === 'set') this.#storeSet(told)
    else if (told.type === 'records') for (const record of told.records) this.#storeRecord(record)
    else if (told.type === 'response' || told.type === 'error') this.#storeOutcome(told)
    else if (told.type === 'lost') this.#expireLost(told)
  }

  #expireLost(told: Extract<Told, { type: 'lost' }>): void {
    const endpoint = this.#endpointOf(told)
    if (endpoint !== undefined) expireUntold(this.#controller, { endpoint, args: told.args })
  }

  #storeSet(told: Extract<Told, { type: 'set' }>): void {
    const schema = this.#schemaOf(told)
    const [params = {}] = told.args
    if (schema !== undefined) this.#controller.set(schema as never, params as object, told.value)
  }

  #storeRecord({ entity, pk, fields, hasMore }: ToldRecord): void {
    const schema = this.#classOf(entity)
    if (schema === undefined) return
    const origin = { args: [fields], name: `syncTabs() of ${entity}`, isOwned: false, isPartial: true, pk }
    // Not as what a server sent, which may be early.
    callsOf(this.#controller).write({}, (transaction) =>
      transaction.ingest(contractOf(schema), fields, origin),
    )
    if (hasMore) this.#expireRecord(undefined, schema, this.#argsOf(entity, pk))
  }

  #storeOutcome(told: Extract<Told, { type: 'response' | 'error' }>): void {
    const endpoint = this.#endpointOf(told)
    const args = told.args as never[]
    if (endpoint === undefined) return
    if (told.type === 'response') this.#controller.setResponse(endpoint, ...args, told.response as never)
    // An error is of one call.
    else if (this.holdsAny([toldNameOf.call(told.key)]))
      this.#controller.setError(endpoint, ...args, fromPlainError(told.error) as never)
  }

  /** Returns the calls of endpoints that this tab does not know. */
  unknownAmong(told: readonly Told[]): readonly ToldCall[] {
    return told.filter((each) => 'key' in each).filter((call) => this.#endpointOf(call) === undefined)
  }

  /** Makes the lists of some records Stale, whatever is in them. @returns the keys of the classes that this tab has */
  expireLists(touched: readonly string[]): readonly string[] {
    const { store } = callsOf(this.#controller)
    const keys = touched.flatMap((name) => recordOfName(name)?.key ?? [])
    const known = [...new Set(keys)].filter((key) => store.tables.has(key))
    callsOf(this.#controller).write(undefined, (transaction) =>
      store.lists?.expireOf(transaction, known, false),
    )
    return known
  }

  /** Returns the endpoint of a call; `undefined` if it is not known here, or makes another key of the arguments. */
  #endpointOf({ endpoint: id, args, key }: ToldCall): EndpointLike | undefined {
    const endpoint = this.#known.get(id)
    return endpoint !== undefined && keyOf(endpoint, args) === key ? endpoint : undefined
  }

  /** Makes records Stale, with what shows them. @param touched - names in all tabs */
  expireRecords(touched: readonly string[]): void {
    for (const name of touched) {
      const record = recordOfName(name)
      if (record === undefined) continue
      const { key, pk } = record
      this.#expireRecord(undefined, this.#classOf(key), this.#argsOf(key, pk))
    }
  }

  /** Makes Stale what was told: the server has to be asked. */
  expire(told: Told): void {
    if (told.type === 'lost') this.#expireLost(told)
    else if (told.type === 'set') this.#expireRecord(undefined, this.#schemaOf(told), told.args)
    else if (told.type === 'records') {
      for (const { entity, pk } of told.records)
        this.#expireRecord(undefined, this.#classOf(entity), this.#argsOf(entity, pk))
    } else if (told.type === 'response') {
      const endpoint = this.#endpointOf(told)
      if (endpoint?.sideEffect === true) this.#expireRecord(endpoint, endpoint.schema, told.args)
      else if (endpoint !== undefined) this.expireCall(told.key)
    }
  }

  expireCall(key: string): void {
    this.#controller.expireAll({ testKey: (each) => each === key })
  }

  #expireRecord(
    endpoint: EndpointLike | undefined,
    schema: Schema | undefined,
    args: readonly unknown[],
  ): void {
    if (schema === undefined) return
    callsOf(this.#controller).write(endpoint, (transaction) => {
      transaction.expireRecordAndLists(contractOf(schema) as SchemaContract, args)
    })
  }

  #classOf(entity: string): TakenEntity | undefined {
    const plan = callsOf(this.#controller).store.tables.get(entity)?.plans[0]
    return plan?.entity as TakenEntity | undefined
  }

  #schemaOf({ entity, isDelete }: Extract<Told, { type: 'set' }>): Schema | undefined {
    const given = this.#classOf(entity)
    return given === undefined || !isDelete ? given : (new DeleteSchema(given) as Schema)
  }

  /** Arguments that name a stored record: its fields. */
  #argsOf(entity: string, pk: string): readonly unknown[] {
    return [{ ...callsOf(this.#controller).store.tables.get(entity)?.nodes.get(pk)?.fields }]
  }
}
