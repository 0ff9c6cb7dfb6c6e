import type { Controller } from '@selfsame/core'
import { Inspector } from '@selfsame/core/inspect'
import type { InspectedCall, InspectedRecord } from '@selfsame/core/inspect'
import type { Entry, Recording } from './recording.js'
import { recordings } from './recordings.js'
import { argsText, span } from './texts.js'

/** The answer to "why" for a call. */
export interface CallExplanation {
  /** All of it in sentences. */
  readonly text: string
  readonly call: InspectedCall | undefined
  /** Why it was fetched last; `undefined` if no recording saw it. */
  readonly fetched: string | undefined
  /** Why no request is under way now, or why one is. */
  readonly now: string
  /** Which commit its readers rendered last for; `undefined` if no recording saw one. */
  readonly changed: string | undefined
  /** The names of its mounted readers; `unknown` where the platform tells none. */
  readonly readers: readonly string[]
  /** How the members of a query of `@selfsame/core/maintained` are found; `undefined` for other calls. */
  readonly index: string | undefined
}

/** The answer to "why" for a record. */
export interface RecordExplanation {
  readonly text: string
  readonly record: InspectedRecord | undefined
  /** Why it is kept, or why it was collected. */
  readonly kept: string
}

const unknown = 'unknown: it happened before `devtools(controller)`, or in a production build'

/**
 * Explains a call: why it was fetched, why it is not fetched now, and why its readers rendered last.
 *
 * Causes are known while `devtools(controller)` records, in development builds.
 *
 * @param args - the arguments of the endpoint
 * @example expect(explain(controller, todoResource.get, { id: 5 }).fetched).toContain('TodoItem mounted')
 */
export function explain(
  controller: Controller,
  endpoint: {
    readonly key: (...args: never) => string
    readonly name?: string
    readonly describe?: (...args: never) => string
  },
  ...args: readonly unknown[]
): CallExplanation {
  const key = endpoint.key(...(args as never))
  const recording = recordings.get(controller)
  const inspector = recording?.inspector ?? new Inspector(controller)
  const name = `${endpoint.name ?? key} ${argsText(args)}`.trim()
  const explained = explainCall(name, inspector.callsOf(key)[0], controller.clock.now(), recording, key)
  const index = endpoint.describe?.(...(args as never))
  if (index === undefined) return explained
  return { ...explained, index, text: `${explained.text}\nIts members: ${index}.` }
}

export function explainCall(
  name: string,
  call: InspectedCall | undefined,
  now: number,
  recording: Recording | undefined,
  key: string,
): CallExplanation {
  const fetch = recording?.lastFetchOf(key)
  const change = recording?.lastChangeOf(key)
  const fetched = fetch && `${fetch.title}, ${fetch.why ?? unknown} (${span(now - fetch.at)} ago)`
  const changed = change && `${titleAndWhy(change)} (${span(now - change.at)} ago)`
  const state = call === undefined ? 'Nothing has read it, so nothing is stored.' : whyNow(call, now)
  const readers = (call?.readers ?? []).map((reader) => reader ?? 'unknown')
  const text = [
    `${name}: ${call?.status ?? 'Invalid'}.`,
    state,
    `Last request: ${fetched ?? unknown}.`,
    `Readers rendered last for: ${changed ?? unknown}.`,
    readers.length > 0 ? `On screen in: ${readers.join(', ')}.` : 'No mounted reader fetches it.',
  ].join('\n')
  return { text, call, fetched, now: state, changed, readers, index: undefined }
}

/** Explains a record: why it is kept, or why it was collected. @param pk - its primary key */
export function explainRecord(
  controller: Controller,
  entity: { readonly key: string },
  pk: string | number,
): RecordExplanation {
  const recording = recordings.get(controller)
  const inspector = recording?.inspector ?? new Inspector(controller)
  const record = inspector.record(entity.key, String(pk))
  const kept = whyKept(record, recording?.collected(entity.key, String(pk)), controller.clock.now())
  return { text: `${entity.key} ${pk}: ${kept}`, record, kept }
}

export function whyKept(
  record: InspectedRecord | undefined,
  collected: Entry | undefined,
  now: number,
): string {
  if (record?.fields === undefined) {
    if (collected !== undefined)
      return `it was collected ${span(now - collected.at)} ago: no call and no record that was in use named it for \`keepLength\`.`
    return record === undefined ? 'it is not stored.' : 'it was deleted, or only its primary key is known.'
  }
  const shown = record.shownBy.filter(({ retainers }) => retainers > 0)
  if (shown.length > 0)
    return `it is kept, because it is on screen: ${shown.map(({ endpoint, args }) => `${endpoint} ${argsText(args)}`.trim()).join(', ')}.`
  const used = Math.max(-Infinity, ...record.shownBy.map(({ usedAt }) => usedAt ?? now))
  if (used > -Infinity)
    return `it is kept for \`keepLength\` after its last use: a call that has it was used ${span(now - used)} ago.`
  const [by] = record.referredBy
  if (by !== undefined) return `it is kept as long as ${by.key} ${by.pk}, which names it.`
  return 'nothing names it: the next garbage collection after `keepLength` drops it.'
}

function titleAndWhy({ title, why }: Entry): string {
  return why === undefined ? title : `${title}, ${why}`
}

/** Why a request is under way, or why not. */
function whyNow(call: InspectedCall, now: number): string {
  const { status, fetching, isPaused, error, readers, expiresAt } = call
  if (fetching) return 'A request is under way.'
  if (isPaused)
    return 'It is not fetched: its request was aborted, or a mutation hides its data until it is answered.'
  if (error !== undefined)
    return `It is not fetched: its last request failed (${error.message.split('\n')[0]}). The boundary's reset, controller.fetch and the next check after \`errorExpiryLength\` ask again.`
  if (status === 'Valid')
    return expiresAt === undefined || expiresAt === Infinity
      ? 'It is not fetched: its data is Valid.'
      : `It is not fetched: its data is Valid for another ${span(expiresAt - now)}.`
  if (readers.length === 0)
    return `It is not fetched: it is ${status}, but no mounted reader that fetches reads it.`
  if (status === 'Stale')
    return 'It is not fetched: it is Stale, but time alone asks for nothing. The next mount, other arguments or a policy check it.'
  return 'Its readers fetch it at their next check.'
}
