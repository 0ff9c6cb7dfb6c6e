import type { Middleware } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import * as errors from '../errors.js'
import { NetworkError, kindOf } from '../errors.js'
import { nextTask } from './next-task.js'

/** What `replay` reads of a recording of `@selfsame/devtools`: its export, parsed. */
export interface ReplayRecording {
  readonly version: 1
  readonly entries: readonly ReplayEntry[]
}

/** An action of a recording. */
export interface ReplayEntry {
  readonly kind: string
  readonly title: string
  /** The key of its call. */
  readonly key?: string | undefined
  /** The id of its request. */
  readonly request?: number | undefined
  /** The response, or the body of an error, as JSON. */
  readonly payload?: string | undefined
  /** Why the request failed. */
  readonly error?: ReplayError | undefined
}

/** The error of a request, as plain data. */
export interface ReplayError {
  readonly name: string
  readonly message: string
  readonly status?: number
  readonly method?: string
  readonly path?: string
}

/** A network that answers as a recording did. */
export interface Replay {
  /** Answers the requests of a Controller: its innermost middleware. */
  readonly middleware: Middleware
  /** The requests that the recording has, and that were not sent yet. */
  readonly left: () => readonly string[]
}

/** A request of the recording. */
interface Recorded {
  readonly title: string
  readonly key: string
  /** Its place among the answers; `Infinity` if the recording has none. */
  place: number
  answer: (() => unknown) | undefined
  isSent: boolean
}

/**
 * Answers requests as a recording of the panel did: makes a test of what a user saw. Each call receives its recorded responses
 * and errors, one after the other, and requests that are under way together are answered in the recorded order. A request
 * that the recording ended without an answer stays open.
 *
 * @param recording - the file that the panel exported, parsed
 * @throws {SelfsameError} `argument-invalid` for anything else, and for a response that the recording cut
 * @example
 * const { middleware, left } = replay(recording)
 * const controller = new Controller({ middleware: [middleware] })
 * await render(<App />, { controller })
 * expect(left()).toEqual([])
 */
export function replay(recording: ReplayRecording): Replay {
  const requests = requestsOf(toReplayEntries(recording))
  /** The requests under way that the recording answers, the one answered first at the beginning. */
  const waiting: { readonly place: number; readonly settle: () => void }[] = []
  const answerNext = async () => {
    await nextTask()
    waiting.shift()?.settle()
  }
  const send = ({ key, endpoint, signal }: RequestCall): Promise<unknown> => {
    const request = requests.find((one) => one.key === key && !one.isSent)
    if (request === undefined)
      return Promise.reject(
        new Error(`The recording has no further request of ${endpoint.name} (${key}). ${remedy}`),
      )
    request.isSent = true
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      const { answer, place } = request
      if (answer === undefined) return
      const settle = () => resolve(new Promise((done) => done(answer())))
      const at = waiting.findIndex((other) => other.place > place)
      waiting.splice(at === -1 ? waiting.length : at, 0, { place, settle })
      void answerNext()
    })
  }
  return {
    middleware: () => ({ request: send }),
    left: () => requests.filter(({ isSent }) => !isSent).map(({ title }) => title),
  }
}

const remedy = 'Record it again, or pass what is missing to createMockController as a fixture.'

/** @throws {SelfsameError} `argument-invalid` for a value that the panel did not export */
function toReplayEntries(recording: unknown): readonly ReplayEntry[] {
  const { version, entries } = fieldsOfRecorded(recording)
  if (version !== 1 || !Array.isArray(entries)) throw errors.recordingUnusable('no recording')
  for (const [index, entry] of (entries as unknown[]).entries())
    if (!isEntry(entry))
      throw errors.recordingUnusable(`a recording with ${kindOf(entry)} of another form at entries[${index}]`)
  return entries as ReplayEntry[]
}

function isEntry(value: unknown): boolean {
  const { kind, title, key = '', request = 0, payload = '', error = noError } = fieldsOfRecorded(value)
  const { name, message, status = 0, method = '', path = '' } = fieldsOfRecorded(error)
  const texts = [kind, title, key, payload, name, message, method, path]
  return (
    texts.every((text) => typeof text === 'string') &&
    [request, status].every((each) => typeof each === 'number')
  )
}

const noError: ReplayError = { name: '', message: '' }

function fieldsOfRecorded(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function requestsOf(entries: readonly ReplayEntry[]): readonly Recorded[] {
  const byId = new Map<number, Recorded>()
  entries.forEach((entry, place) => {
    const { kind, key = '', request, title } = entry
    if (request === undefined) return
    if (kind === 'fetch') byId.set(request, { title, key, place: Infinity, answer: undefined, isSent: false })
    const found = byId.get(request)
    if (found === undefined || (kind !== 'response' && kind !== 'error')) return
    found.place = place
    found.answer = kind === 'response' ? () => payloadOf(entry) : () => fail(entry)
    if (kind === 'response') payloadOf(entry)
  })
  return [...byId.values()]
}

function payloadOf({ title, payload }: ReplayEntry): unknown {
  if (payload === undefined) return undefined
  try {
    return JSON.parse(payload) as unknown
  } catch (cause) {
    throw errors.recordingUnusable(
      `a recording with no whole response of "${title}": it was too long, or is no JSON`,
      cause,
    )
  }
}

/** @throws an error with the recorded name, message, status and body */
function fail(entry: ReplayEntry): never {
  const { name, message, path, ...details } = entry.error ?? { name: 'Error', message: entry.title }
  if (name !== 'NetworkError') throw Object.assign(new Error(message), { name })
  throw new NetworkError(message, { ...details, url: path, body: payloadOf(entry) })
}
