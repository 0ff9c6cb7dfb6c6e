import type { Controller } from '@selfsame/core'
import { outboxOf } from '@selfsame/core/bindings'
import { Inspector } from '@selfsame/core/inspect'
import type { InspectedCall, InspectedRecord } from '@selfsame/core/inspect'
import type { Recording } from './recording.js'
import { recordings } from './recordings.js'
import * as sentences from './sentences.js'
import { argsText, toText } from './texts.js'

/** The answer to "why" for a call. */
export interface CallExplanation {
  /** All of it in sentences, each in a line. */
  readonly text: string
  readonly call: InspectedCall | undefined
  /** Why it was fetched last; `undefined` if no recording saw it. */
  readonly fetched: string | undefined
  /** Where its data comes from if it was not requested: `Board 1 came with Board.getList`. */
  readonly origin: string | undefined
  /** Why no request is in flight now, or that one is. */
  readonly now: string
  /** Since when and why it is Stale, and what makes it Valid; `undefined` if it is not Stale. */
  readonly stale: string | undefined
  /** Which action changed last what its readers show; `undefined` if no recording saw one. */
  readonly changed: string | undefined
  /** The names of its mounted readers that fetch; `unknown` where the platform tells none. */
  readonly readers: readonly string[]
  /** How the members of a query of `@selfsame/core/maintained` are found; `undefined` for other calls. */
  readonly index: string | undefined
}

/** The answer to "why" for a record. */
export interface RecordExplanation {
  /** All of it in sentences, each in a line. */
  readonly text: string
  readonly record: InspectedRecord | undefined
  /** Why it is kept, or why it was collected. */
  readonly kept: string
}

/**
 * Explains a call: why it was fetched, why it is not fetched now, and what changed it last.
 *
 * Causes are known while `devtools(controller)` or `record(controller)` records, in development builds.
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
  const call = inspector.callsOf(key)[0]
  const name = `${endpoint.name ?? call?.endpoint ?? key} ${argsText(args)}`.trim()
  const index = endpoint.describe?.(...(args as never))
  const waiting = outboxOf(controller).mutations.filter(
    (each) => each.endpoint === endpoint.name && toText(each.args) === toText(args),
  )
  const now = controller.clock.now()
  return explainCall({ name, call, key, inspector, recording, now, args, index, waiting })
}

/** What `explainCall` needs to know. */
export interface CallQuestion {
  readonly name: string
  readonly key: string
  readonly call: InspectedCall | undefined
  readonly inspector: Inspector
  readonly recording: Recording | undefined
  readonly now: number
  /** The arguments that are asked for, if they may differ from those of the call. */
  readonly args?: readonly unknown[] | undefined
  readonly index?: string | undefined
  /** The mutations of these arguments in the outbox. */
  readonly waiting?: readonly sentences.WaitingMutation[]
}

export function explainCall({
  name,
  key,
  call,
  inspector,
  recording,
  now,
  args = call?.args,
  index,
  waiting = [],
}: CallQuestion): CallExplanation {
  const history = recording?.historyOf(key)
  if (call === undefined || waiting.length > 0)
    return explainUnstored(name, { history, recording, now }, index, waiting)
  const origin = inspector.origin(call.id)
  const known = { call, origin, history, recording, now }
  const lists = [call.args, ...(origin?.argumentLists ?? []), ...(args === undefined ? [] : [args])]
  const different = lists.filter(
    (one, place) => lists.findIndex((other) => argsText(other) === argsText(one)) === place,
  )
  const nowText = sentences.nowSentence(known)
  const stale = sentences.staleSentence(known)
  const lines = [
    `${name}: ${sentences.labelOf(call, history)}.`,
    nowText,
    stale,
    sentences.requestSentence(known),
    sentences.changeSentence(known),
    sentences.connectionSentence(call),
    sentences.argumentsSentence(different),
    sentences.readersSentence(call),
    index === undefined ? undefined : `Its members: ${index}.`,
  ]
  return {
    text: lines.filter((line) => line !== undefined).join('\n'),
    call,
    fetched: sentences.requestText(known),
    origin: sentences.originText(known),
    now: nowText,
    stale,
    changed: sentences.changeText(known),
    readers: call.readers.map((reader) => reader ?? 'unknown'),
    index,
  }
}

/** Explains a call of which nothing is stored: one that nothing has read, or a mutation. */
function explainUnstored(
  name: string,
  known: Pick<sentences.Known, 'history' | 'recording' | 'now'>,
  index: string | undefined,
  waiting: readonly sentences.WaitingMutation[],
): CallExplanation {
  const { recording } = known
  const inOutbox = waiting.map((each) =>
    sentences
      .outboxSentences(each, recording?.network.stoppedAttempts(each.endpoint, each.args) ?? 0)
      .join(' '),
  )
  const fetched = sentences.requestText(known)
  const changed = sentences.changeText(known)
  // Without a recording of all, it may have been collected.
  const isNew = fetched === undefined && recording?.isPartial === false
  const nothing = isNew ? 'Nothing has read it, so nothing is stored.' : 'Nothing is stored for it.'
  const [now = nothing, ...others] = inOutbox
  const state = inOutbox.length > 0 ? 'in the outbox' : isNew ? 'never fetched' : 'no data'
  const lines = [
    `${name}: ${state}.`,
    now,
    ...others,
    fetched && `Last request: ${fetched}.`,
    index && `Its members: ${index}.`,
  ]
  return {
    text: lines.filter((line) => line !== undefined).join('\n'),
    call: undefined,
    fetched,
    origin: undefined,
    now,
    stale: undefined,
    changed,
    readers: [],
    index,
  }
}

/** Explains a record: why it is kept, what wrote it, and which lists have it. @param pk - its primary key */
export function explainRecord(
  controller: Controller,
  entity: { readonly key: string },
  pk: string | number,
): RecordExplanation {
  const recording = recordings.get(controller)
  const inspector = recording?.inspector ?? new Inspector(controller)
  const record = inspector.record(entity.key, String(pk))
  return explainStored(entity.key, String(pk), record, recording, controller.clock.now())
}

export function explainStored(
  key: string,
  pk: string,
  record: InspectedRecord | undefined,
  recording: Recording | undefined,
  now: number,
): RecordExplanation {
  const kept = sentences.keptSentence(record, recording?.collected(key, pk), now)
  const lines = [
    kept,
    sentences.writtenSentence(record, recording, now),
    sentences.doubtSentence(record, recording, now),
    record && sentences.rejectionSentence(record),
    record && sentences.defaultsSentence(record),
    ...(record === undefined ? [] : sentences.listSentences(record)),
  ]
  const [first, ...others] = lines.filter((line) => line !== undefined)
  return { text: [`${key} ${pk}: ${first}`, ...others].join('\n'), record, kept }
}
