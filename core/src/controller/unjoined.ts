import type { EndpointLike } from '../endpoint/endpoint.js'
import { warn } from '../errors.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import { recordOf } from '../schema/members-schema.js'
import type { SchemaContract } from '../schema/schema.js'
import { ListNode } from '../store/list-node.js'
import { RecordNode } from '../store/records.js'
import { noResult } from '../store/results.js'
import type { Call } from '../store/call.js'
import { getOrMake } from '../util/get-or-make.js'
import { isPlainObject } from '../util/plain.js'
import type { ControllerContext } from './requests.js'

/**
 * Returns `true` if a response brings a record that was not stored, and its schema is that of one record, which joins no
 * list. Development only.
 */
export function bringsNewRecord(
  { store }: ControllerContext,
  schema: SchemaContract | undefined,
  payload: unknown,
  args: readonly unknown[],
): boolean {
  if (!(schema instanceof EntityPlan) || !isPlainObject(payload)) return false
  try {
    const pk = schema.pkOf(schema.process(payload, undefined, undefined, args), undefined, undefined, args)
    return pk !== undefined && store.find(store.table(schema), pk)?.fields === undefined
  } catch {
    // The write reports it.
    return false
  }
}

/** By Controller, the names of the endpoints that were warned of. */
const warnedOf = new WeakMap<ControllerContext, Set<string>>()

/**
 * Warns of a created record that joined no list, although a list on screen has the address that created it, and shows records of
 * its class. Code that fetches the list again, or makes it Stale, does so when the mutation has resolved: it is waited for.
 * Development only.
 */
export function watchUnjoined(
  context: ControllerContext,
  endpoint: EndpointLike,
  args: readonly unknown[],
  record: unknown,
): void {
  const warned = getOrMake(warnedOf, context, () => new Set<string>())
  if (!(record instanceof RecordNode) || warned.has(endpoint.name)) return
  const address = /^POST ([^?]+)/.exec(endpoint.key(...args))?.[1]
  if (address === undefined) return
  const lists = listsOnScreen(context, address, record)
  if (lists.length === 0) return
  context.clock.setTimeout(() => {
    const left = lists.find(
      ({ call, result }) =>
        call.retainers > 0 && !call.fetching && call.result === result && !isAlreadyStale(call),
    )
    if (
      left === undefined ||
      lists.some(({ call }) => hasRecord(call.result, record)) ||
      warned.has(endpoint.name)
    )
      return
    warned.add(endpoint.name)
    warn(unjoinedText(endpoint.name, record.table.key, left.call))
  }, 0)
}

interface ShownList {
  readonly call: Call
  readonly result: unknown
}

/** The lists on screen that the record belongs to, as far as their address and arguments tell, and that lack it. */
function listsOnScreen(context: ControllerContext, address: string, record: RecordNode): ShownList[] {
  const origin = `GET ${address}`
  const found: ShownList[] = []
  for (const [key, calls] of context.store.results) {
    if (key !== origin && !key.startsWith(`${origin}?`)) continue
    for (const call of calls) {
      const members = call.retainers > 0 ? membersIn(call.result) : []
      const isOfClass = members.some((member) => tableOf(member) === record.table)
      if (
        isOfClass &&
        !hasRecord(call.result, record) &&
        isFiltered(call, record.fields ?? {}) &&
        !isLive(context, call, record)
      )
        found.push({ call, result: call.result })
    }
  }
  return found
}

/** `false` for a list whose arguments do not say that it has the record: a search, a page, another filter. */
function isFiltered({ args: [params] }: Call, fields: Fields): boolean {
  if (!isPlainObject(params)) return params === undefined
  return Object.entries(params).every(
    ([name, value]) => value === undefined || String(fields[name]) === String(value),
  )
}

/**
 * `true` for a list that a connection keeps fresh: its own, or a stream of another call that has records of the class, or that has
 * no response, so that nothing tells what its messages bring.
 */
function isLive({ connections = new Set() }: ControllerContext, list: Call, { table }: RecordNode): boolean {
  return [...connections].some(
    ({ call, hasStream }) =>
      call === list ||
      (hasStream &&
        (call.result === noResult ||
          [call.result, ...membersIn(call.result)].some((part) => tableOf(part) === table))),
  )
}

/** `true` if its readers were told to fetch it. */
function isAlreadyStale(call: Call): boolean {
  return call.state.isInvalidated || call.stamp.sequence < call.state.expiredAt
}

/** The members of the list that a normalized response is, or has in a field. */
function membersIn(result: unknown, depth = 0): readonly unknown[] {
  if (Array.isArray(result)) return result
  if (result instanceof ListNode) return membersIn(result.members, depth)
  if (depth > 0 || !isPlainObject(result)) return []
  return Object.values(result).flatMap((part) => membersIn(part, 1))
}

function hasRecord(result: unknown, record: RecordNode): boolean {
  return membersIn(result).some((member) => recordOf(member) === record)
}

function tableOf(member: unknown): unknown {
  const record = recordOf(member)
  return record instanceof RecordNode ? record.table : undefined
}

function unjoinedText(name: string, key: string, { key: list, result }: Call): string {
  const isCollection =
    result instanceof ListNode ||
    (isPlainObject(result) && Object.values(result).some((part) => part instanceof ListNode))
  const remedy = isCollection
    ? `The list is a Collection, but the schema of ${name} is the record alone. Make ${name} of the list: \`getList.push\` or \`getList.unshift\`, or give it the schema \`list.push\` of that Collection.`
    : `The list has a plain schema, \`[${key}]\`, which no mutation changes. Make it a Collection, \`new schema.Collection([${key}])\`, and create with \`getList.push\`.`
  return `${name} created a ${key} that joined no list, although ${list} is on screen. ${remedy} Or refetch the list when the mutation has resolved. https://github.com/selfsame-data/selfsame/blob/main/docs/development.md#warnings`
}
