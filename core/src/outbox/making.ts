import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import { idOf } from '../controller/known-endpoints.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { SelfsameError, toError, warn } from '../errors.js'
import { pack } from '../storage/pack.js'
import type { Storable } from '../storage/row-storage.js'
import { copyPlain } from '../util/plain.js'
import type { OutboxContext } from './context.js'
import { makeEntry } from './entry.js'
import type { Entry } from './entry.js'
import { newKey } from './random.js'
import { makeRow, temporaryIdsIn } from './mutation-row.js'
import { touchesOf } from './touches.js'

/** Makes a mutation that the user asks for, and writes it down. What is not of the current scope is refused, and waits for the user's return. */
export function makeMutation(
  context: OutboxContext,
  endpoint: EndpointLike,
  given: readonly unknown[],
  requestId: number,
): Entry {
  const { entries, lastUsers, options, places, registry, scope, tab } = context
  const address = idOf(endpoint)
  const known = registry.get(address)
  if (development) warnOfOtherUpdate(endpoint, known, address)
  // One with a signal is for this mutation alone: others would end with it.
  if (endpoint.signal === undefined || known === undefined) registry.add(endpoint)
  const { id, at } = places.next()
  const key = options.idempotencyKey === false ? null : newKey()
  const args = given.map((arg) => copyPlain(arg))
  const entry = makeEntry(id, lastUsers, makeRow(at, { endpoint: endpoint.name, address, key, tab }), args)
  entry.isOwn = true
  entries.add(entry)
  let packing: Promise<Storable>
  try {
    packing = pack(args)
  } catch (error) {
    entry.refusal = new SelfsameError(
      'argument-invalid',
      development
        ? `${endpoint.name} cannot wait in the outbox: ${(error as Error).message} Set \`outbox: false\` to send it without the outbox.`
        : endpoint.name,
      { cause: error },
    )
    return entry
  }
  if (lastUsers !== scope) entry.refusal = errors.outboxDropped(endpoint.name, 'signed out')
  entry.writing = writeFirst(context, entry, endpoint, packing, requestId)
  return entry
}

const warned = new Set<string>()

/** Development only: after a reload the listed endpoint is found, whose `update` is another one. */
function warnOfOtherUpdate(
  { name, update }: EndpointLike,
  known: EndpointLike | undefined,
  address: string,
): void {
  if (known === undefined || known.update === update || warned.has(address)) return
  warned.add(address)
  warn(
    `The outbox knows ${name} without this \`update\`, so after a reload it is sent without it. List this endpoint in \`endpoints\` after its resource, or put it into the resource: \`resource.extend('create', { update })\`.`,
  )
}

/** Writes a new mutation down. Its optimistic response is shown by then, perhaps with a temporary id. */
async function writeFirst(
  context: OutboxContext,
  entry: Entry,
  endpoint: EndpointLike,
  packing: Promise<Storable>,
  requestId: number,
): Promise<void> {
  await Promise.resolve()
  const { controller, end, entries, lock, options, rows } = context
  // Reset in the same task: what it showed, and under which temporary id, cannot be known any more.
  if (entries.ofRequest(requestId) !== entry) return
  const { unnamed } = callsOf(controller).store
  const temporaryId = unnamed?.shownIdOf(requestId) ?? null
  // Of several mutations each waits for the one before it, as if it named what that creates.
  const before = unnamed?.idBefore(requestId)
  try {
    const args = await packing
    const named = new Set([
      ...temporaryIdsIn(args),
      ...(before ? [before] : []),
      ...(temporaryId ? [temporaryId] : []),
    ])
    const touched = [
      ...touchesOf(endpoint, entry.args, named),
      ...(options.touches?.(endpoint, entry.args) ?? []),
    ]
    const touches = [...touched, ...aliasesOf(context, touched)]
    entry.row = { ...entry.row, args, temporaryId, touches }
    // A middleware before the outbox holds it back.
    if (entry.live === undefined && entries.ofRequest(requestId) === entry && !end.aborted) {
      const passedOn = new Promise<void>((resolve) => (entry.letGo = resolve))
      await lock.hold(entry.id, passedOn)
      entry.row = { ...entry.row, isHeld: true }
    }
    // A reset may have dropped it meanwhile.
    if (entry.ending === 'left') return
    await rows.save(entry)
  } catch (error) {
    // A file that was deleted meanwhile.
    entry.refusal = toError(error, endpoint.name)
    entry.live?.reject(entry.refusal)
  }
}

/**
 * A record that arrived while the answer of a create is out may be the created one: then it is in the queue of its temporary id.
 *
 * @returns the names by temporary ids, if mutations wait by them
 */
function aliasesOf({ controller, entries }: OutboxContext, touched: readonly string[]): readonly string[] {
  const { tables } = callsOf(controller).store
  return entries.all.flatMap(({ row: { isSent, temporaryId } }) =>
    touched.flatMap((name) => {
      const [, key = '', pk = ''] = /^record (\S+) (.*)/.exec(name) ?? []
      const alias = `record ${key} ${temporaryId}`
      const arrivalOf = (id: unknown) => tables.get(key)?.nodes.get(id as string)?.arrival
      const isLater = (arrivalOf(pk) || Infinity) > (arrivalOf(temporaryId) ?? 0)
      return isSent && isLater && entries.all.some(({ row }) => row.touches.includes(alias)) ? [alias] : []
    }),
  )
}
