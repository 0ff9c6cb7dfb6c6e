import type { outboxOf } from '@selfsame/core/bindings'
import type { InspectedCall, InspectedOrigin, InspectedRecord } from '@selfsame/core/inspect'
import type { CallHistory, Fact, Recording } from './recording.js'
import { argsText, span } from './texts.js'

// All that `explain`, the panel and the inspector of the Vue devtools say of a state. Each sentence has a scenario in
// `conformance/src/scenarios/why*.ts`.

/** A call, with all that is known of it. */
export interface Known {
  readonly call: InspectedCall
  readonly origin: InspectedOrigin | undefined
  readonly history: CallHistory | undefined
  readonly recording: Recording | undefined
  readonly now: number
}

/** The state of a call in a word or two, as chips and rows show it. */
export type StateLabel = 'Valid' | 'Stale' | 'Invalid' | 'failed' | 'never fetched' | 'no data'

/** Names the state of a call. One without data that nothing invalidated is not called Invalid: nothing is wrong with it. */
export function labelOf(
  { status, isAnswered, isQuery, fetching, error }: InspectedCall,
  history: CallHistory | undefined,
): StateLabel {
  if (status !== 'Invalid') return status
  if (error !== undefined) return 'failed'
  if (isAnswered) return status
  return isQuery || fetching || (history?.requests ?? 0) > 0 ? 'no data' : 'never fetched'
}

/** Why a request is in flight, or why none is. */
export function nowSentence({ call, origin, now }: Known): string {
  const { status, fetching, waitsFor, pause, error, fetchers } = call
  if (call.isQuery) {
    const missing = status === 'Invalid' ? ' What it reads is not stored.' : ''
    const state = error === undefined ? missing : ` ${failureSentence(call, error, now)}`
    return `It is a query of the cache, which sends no requests.${state}`
  }
  if (waitsFor === 'storage') return 'Its request waits until the stored data is read.'
  if (waitsFor === 'network') return 'Its request waits for the network.'
  if (fetching) return 'A request is in flight.'
  if (waitsFor === 'page')
    return 'It is not fetched: the server fetched it, and a part of the page that is on its way brings it.'
  if (pause === 'hidden')
    return 'It is not fetched: a pending mutation removes its data. It is checked again when that mutation is answered.'
  if (pause === 'aborted')
    return 'It is not fetched: its last request was aborted. No reader fetches it again before `errorExpiryLength` has passed.'
  if (pause === 'signal') return 'It is not fetched: the `signal` of its endpoint is aborted.'
  if (error !== undefined) return failureSentence(call, error, now)
  if (status === 'Invalid') return `${missingSentence(origin)} ${nextSentence(call)}`
  if (status === 'Stale')
    return fetchers === 0
      ? 'It is not fetched: it is Stale, but no mounted reader fetches it.'
      : 'It is not fetched: it is Stale, but that alone sends no request. It is fetched when a reader mounts, gets new arguments or becomes visible again, or by a policy such as `refetchOnFocus`.'
  return `It is not fetched: ${validSentence(call, now)}`
}

function failureSentence({ errorExpiresAt }: InspectedCall, error: Error, now: number): string {
  const message = error.message.split('\n')[0]?.replace(/\.$/, '')
  if (errorExpiresAt === undefined) return `It cannot be shown: reading its data threw (${message}).`
  const after = errorExpiresAt > now ? ` after the error has expired (in ${span(errorExpiresAt - now)})` : ''
  return `It is not fetched: it failed (${message}). It is fetched again by controller.fetch, when its error boundary is reset, or when a reader mounts${after}.`
}

function missingSentence(origin: InspectedOrigin | undefined): string {
  switch (origin?.missing) {
    case 'invalidated':
      return 'It was invalidated.'
    case 'deleted':
      return 'The record that it shows was deleted.'
    case 'rejected':
      return `Its record is stored, but \`validate\` of its class refuses it: ${origin.rejection}.`
    case 'stale':
      return 'Its data has expired, and its endpoint shows no Stale data.'
    default:
      return 'There is no data.'
  }
}

const nextSentence = ({ fetchers }: InspectedCall) =>
  fetchers === 0 ? 'No mounted reader fetches it.' : 'Its readers fetch it at their next check.'

function validSentence({ expiresAt }: InspectedCall, now: number): string {
  if (expiresAt === undefined || expiresAt === Infinity) return 'its data never expires.'
  if (expiresAt <= now) return 'its data has expired, but its policy shows it as Valid.'
  return `its data is Valid for another ${span(expiresAt - now)}.`
}

/** The last request: what it was, why it was sent, and when. `undefined` if no recording saw one. */
export function requestText({ history, now }: Pick<Known, 'history' | 'now'>): string | undefined {
  const last = history?.lastRequest
  if (last === undefined) return undefined
  return `${withReason(last)} (${span(now - last.at)} ago)`
}

/** Where data without a request comes from: `Board 1 came with Board.getList`. `undefined` if it was requested, or is not known. */
export function originText({ call, origin, history, recording, now }: Known): string | undefined {
  if (history?.lastRequest !== undefined || origin === undefined) return undefined
  const { lastSet } = history ?? {}
  if (lastSet !== undefined) return `controller.setResponse stored it ${span(now - lastSet.at)} ago`
  if (origin.isHydrated) return 'it was hydrated, from a server render or a stored cache'
  const { what } = origin
  if (what === undefined || call.isQuery) return undefined
  if (origin.call !== undefined) return `${what} came with ${origin.call}`
  const by = recording?.requestOf(origin.request)?.title ?? setTextOf(origin, recording)
  return `${by ?? 'another action'} stored ${what}`
}

function setTextOf({ record }: InspectedOrigin, recording: Recording | undefined): string | undefined {
  return record && recording?.writerOf(record.key, record.pk, '')?.title
}

/** The sentence on the last request. */
export function requestSentence(known: Known): string {
  const { call, history, recording, now } = known
  const text = requestText(known)
  if (text !== undefined) {
    const cause =
      history?.lastRequest?.why === undefined ? ' Causes are known in development builds only.' : ''
    return `Last request: ${text}.${countText(known)}${cause}`
  }
  if (call.isQuery) return 'Not requested: a query reads what is stored.'
  const from = originText(known)
  if (from !== undefined) return `Not requested: ${from}.`
  if (recording === undefined)
    return 'Last request: not recorded. Call `devtools(controller)` or `record(controller)` first.'
  const { startedAt, isPartial } = recording
  // What came in the first millisecond would be in a whole recording.
  if (call.receivedAt !== undefined && call.receivedAt < startedAt + (isPartial ? 0 : 1))
    return 'Last request: before the recording began.'
  if (isPartial) return 'Last request: no longer in the recording.'
  return `Not requested since the recording began ${span(now - startedAt)} ago.`
}

function countText({ call: { key }, history, recording }: Known): string {
  const { requests = 0 } = history ?? {}
  const stopped = recording?.network.stoppedOf(key) ?? 0
  const all = requests > 1 ? ` Requested ${requests} times since the recording began.` : ''
  return stopped === 0
    ? all
    : `${all} The panel stopped ${stopped === 1 ? 'one attempt' : `${stopped} attempts`} before ${stopped === 1 ? 'it' : 'they'} left the page.`
}

/** The action that changed the data of a call last. */
export function changeText(known: Pick<Known, 'history' | 'now'> & Partial<Known>): string | undefined {
  const last = lastChangeOf(known)
  return last && `${withReason(last)} (${span(known.now - last.at)} ago)`
}

/** A change of a record is told to the readers of its calls. A call without readers has it all the same. */
function lastChangeOf({ history, origin, recording }: Partial<Known>): Fact | undefined {
  let last = history?.lastChange
  for (const { key, pk } of origin?.records ?? []) {
    const own = recording?.lastWriteOf(key, pk)
    if (own !== undefined && own.id > (last?.id ?? 0)) last = own
  }
  return last
}

export function changeSentence(known: Known): string | undefined {
  const { recording } = known
  const text = changeText(known)
  if (text !== undefined) return `Last change: ${text}.`
  // The sentence on the request says it.
  if (recording === undefined) return undefined
  if (!recording.hasChanges)
    return 'Last change: not recorded. Changes are recorded once the panel was opened, or with `recordsChanges: true`.'
  return recording.isPartial
    ? 'Last change: no longer in the recording.'
    : 'Not changed since the recording of changes began.'
}

/** Since when a call is Stale, because of what, and what makes it Valid again. `undefined` for one that is not Stale. */
export function staleSentence({ call, origin, history, recording, now }: Known): string | undefined {
  const { status, expiresAt, error } = call
  if (status !== 'Stale' || expiresAt === undefined) return undefined
  const clears = 'The next successful request makes it Valid.'
  if (expiresAt > -Infinity)
    return `It became Stale ${span(now - expiresAt)} ago because of its age. ${clears}`
  const record = origin?.record
  const by = history?.expiredBy ?? (record && recording?.expirerOf(record.key, record.pk))
  if (by !== undefined) return `It was made Stale ${span(now - by.at)} ago by ${by.title}. ${clears}`
  if (error !== undefined) return `It is Stale, because its last request failed. ${clears}`
  return `It was made Stale by an action that was not recorded. ${clears}`
}

/** Different arguments with one key: they share one response. */
export function argumentsSentence(lists: readonly (readonly unknown[])[]): string | undefined {
  if (lists.length < 2) return undefined
  const names = lists.map((args) => argsText(args) || 'none')
  return `${lists.length} argument lists have this key, and share one response: ${names.join('; ')}. If they need different responses, \`key\` must tell them apart.`
}

export function connectionSentence({ connection }: InspectedCall): string | undefined {
  if (connection === undefined) return undefined
  return connection === 'stream' ? 'A stream is open for it.' : 'It is polled.'
}

/** Which components show a call. */
export function readersSentence({ readers, fetchers, retainers }: InspectedCall): string {
  if (readers.length === 0)
    return retainers === 0 ? 'No mounted reader uses it.' : 'It is in use, but no mounted reader shows it.'
  const names = countedNames(readers.map((name) => name ?? 'a reader'))
  if (fetchers > 0) return `On screen in: ${names}.`
  return `On screen in: ${names}, which ${readers.length === 1 ? 'does' : 'do'} not fetch.`
}

/** `TodoRow (20 readers), TodoCount`: each name once, in the order in which they were mounted. */
export function countedNames(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} readers)`)).join(', ')
}

/** Why a record is kept, or why it is not there. */
export function keptSentence(
  record: InspectedRecord | undefined,
  collected: Fact | undefined,
  now: number,
): string {
  if (record?.fields === undefined) {
    if (collected !== undefined)
      return `It was collected ${span(now - collected.at)} ago: no call and no record in use referred to it for \`keepLength\`.`
    if (record === undefined) return 'It is not stored.'
    return record.request === undefined
      ? 'Only its primary key is known: no response had it.'
      : 'It was deleted.'
  }
  const shown = record.shownBy.filter(({ retainers }) => retainers > 0)
  if (shown.length > 0)
    return `It is kept, because it is on screen: ${shown.map(({ endpoint, args }) => `${endpoint} ${argsText(args)}`.trim()).join(', ')}.`
  const used = Math.max(-Infinity, ...record.shownBy.map(({ usedAt }) => usedAt ?? now))
  if (used > -Infinity)
    return `It is kept for \`keepLength\` after its last use: a call with it was used ${span(now - used)} ago.`
  const list = record.lists.find(({ isMember }) => isMember)
  if (list !== undefined) return `It is kept as long as the list ${list.name} is.`
  const [by] = record.referredBy
  if (by !== undefined) return `It is kept as long as ${by.key} ${by.pk}, which refers to it.`
  return 'Nothing refers to it: the next garbage collection after `keepLength` drops it.'
}

/** Which action wrote a record last. */
export function writtenSentence(
  record: InspectedRecord | undefined,
  recording: Recording | undefined,
  now: number,
): string | undefined {
  if (record === undefined || record.request === undefined) return undefined
  const fact = recording?.requestOf(record.request)
  const what = record.fields === undefined ? 'Deleted by' : 'It was last written by'
  if (fact !== undefined) return `${what} ${fact.title} (${span(now - fact.at)} ago).`
  if (record.fields === undefined) return undefined
  if (record.isHydrated) return 'It was hydrated, from a server render or a stored cache.'
  if (record.broughtBy !== undefined) return `It came with ${record.broughtBy}.`
  const writer = recording?.writerOf(record.key, record.pk, '')
  if (writer !== undefined) return `It was last written by ${writer.title} (${span(now - writer.at)} ago).`
  return 'It was written by an action that was not recorded.'
}

/** Since when a record is Stale although it has not aged, because of what, and what ends that. */
export function doubtSentence(
  record: InspectedRecord | undefined,
  recording: Recording | undefined,
  now: number,
): string | undefined {
  if (record?.fields === undefined || record.expiresAt !== -Infinity || record.request === undefined)
    return undefined
  const by = recording?.expirerOf(record.key, record.pk)
  const cause =
    by === undefined ? 'by an action that was not recorded' : `${span(now - by.at)} ago by ${by.title}`
  return record.isDoubtful
    ? `It was made Stale ${cause}: only the server knows its fields now. A response to a later request makes it Valid.`
    : `It was made Stale ${cause}. The next response with it makes it Valid.`
}

/** The fields that were never received. */
export function defaultsSentence({ defaults }: InspectedRecord): string | undefined {
  return defaults.length === 0
    ? undefined
    : `Not received: ${defaults.join(', ')}. Readers see ${defaults.length === 1 ? 'the default' : 'the defaults'} of the class.`
}

export function rejectionSentence({ rejection }: InspectedRecord): string | undefined {
  return rejection === undefined
    ? undefined
    : `\`validate\` of a class refuses it, so readers of that class do not see it: ${rejection}.`
}

/** The most lists that are named. */
const mostLists = 8

/** In which lists a record is, and why it is not in the others of its type. */
export function listSentences({ lists }: InspectedRecord): readonly string[] {
  const own = lists.filter(({ isMember }) => isMember).map(({ name }) => name)
  const others = lists.filter(({ isMember }) => !isMember).slice(0, mostLists)
  return [
    ...(own.length > 0 ? [`It is in ${own.slice(0, mostLists).join(', ')}.`] : []),
    ...others.map(({ name, reason }) => `It is not in ${name}: ${reason}.`),
  ]
}

/** A mutation in the outbox. */
export type WaitingMutation = ReturnType<typeof outboxOf>['mutations'][number]

/** What a mutation in the outbox waits for, what was tried and what left the page so far, and whether it survives a reload. */
export function outboxSentences(
  { status, reason, isKnown, isWritten, attempts }: WaitingMutation,
  stopped: number,
): readonly [state: string, attempts: string, reload: string] {
  const state = {
    waiting: isKnown
      ? 'It waits for the network, its turn or the next attempt.'
      : 'The outbox does not know its endpoint yet.',
    sending: 'It is being sent.',
    failed: `It failed: ${reason ?? 'unknown'}.`,
  }[status]
  const reload = isWritten ? 'It survives a reload.' : 'It is not saved yet: a reload loses it.'
  return [state, attemptsSentence(attempts, stopped), reload]
}

function attemptsSentence(attempts: number, stopped: number): string {
  if (attempts === 0) return 'Not tried yet.'
  const tried = `Tried ${attempts} ${attempts === 1 ? 'time' : 'times'}`
  if (stopped === 0) return `${tried}.`
  const left = Math.max(0, attempts - stopped)
  return `${tried}, sent ${left} ${left === 1 ? 'time' : 'times'}: the panel stopped ${stopped}.`
}

function withReason({ title, why }: Fact): string {
  return why === undefined ? title : `${title}, ${why}`
}
