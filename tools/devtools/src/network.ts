import type { RequestCall } from '@selfsame/core'
import type { Inspector } from '@selfsame/core/inspect'
import { toText } from './texts.js'

/** What happens to the requests of an endpoint. */
export interface NetworkRule {
  /** The name of the endpoint; `''` for all. */
  readonly endpoint: string
  readonly kind: 'slow' | 'fail' | 'offline'
}

/** An entry of a recording, as a replay needs it. */
interface ReplayedEntry {
  readonly kind: string
  readonly title: string
  readonly at: number
  readonly key: string | undefined
  readonly request: number | undefined
  readonly payload: string | undefined
  readonly error:
    | {
        readonly name: string
        readonly message: string
        readonly status?: number
        readonly method?: string
        readonly path?: string
      }
    | undefined
}

/** A request of a recording. */
interface Replayed {
  readonly key: string
  readonly afterMs: number
  /** `undefined` if the recording ended before it was answered. */
  readonly answer: (() => unknown) | undefined
  isSent: boolean
}

/** Names the mutations of one endpoint with the same arguments: an outbox sends copies of them. */
const attemptNameOf = (endpoint: string, args: readonly unknown[]) => `${endpoint} ${toText(args)}`

/** The wait of a slow request, in milliseconds. */
const slowMs = 2000

/** Makes requests slow, failing or offline, to try these states by hand. */
export class NetworkRules {
  readonly #inspector: Inspector
  #rules: readonly NetworkRule[] = []
  #end: (() => void) | undefined
  /** By key, how many requests never left the page. */
  readonly #stopped = new Map<string, number>()
  /** By the id of a request that is not over: an outbox tries it more than once. */
  readonly #attempts = new Map<number, { readonly name: string; readonly stopped: number }>()

  constructor(inspector: Inspector) {
    this.#inspector = inspector
  }

  get rules(): readonly NetworkRule[] {
    return this.#rules
  }

  /** Sets the rule of an endpoint. @param kind - `undefined` removes it */
  set(endpoint: string, kind: NetworkRule['kind'] | undefined): void {
    const others = this.#rules.filter((rule) => rule.endpoint !== endpoint)
    this.#rules = kind === undefined ? others : [...others, { endpoint, kind }]
    if (this.#rules.length === 0) this.#endRules()
    else
      this.#end ??= this.#inspector.observe({
        request: async (call, next) => {
          const { name } = call.endpoint
          const kindNow = this.of(name)
          if (kindNow === 'fail' || kindNow === 'offline') this.#noteStopped(call)
          if (kindNow === 'fail') throw new Error(`${name} failed: the panel made it fail.`)
          if (kindNow === 'offline') throw new TypeError('The panel is offline.')
          if (kindNow === 'slow') await wait(slowMs, call.signal)
          return next()
        },
      })
  }

  /** The rule for an endpoint: its own, else that of all. */
  of(endpoint: string): NetworkRule['kind'] | undefined {
    const rule = (name: string) => this.#rules.find((other) => other.endpoint === name)
    return (rule(endpoint) ?? rule(''))?.kind
  }

  /** How many requests of a key the rules stopped. */
  stoppedOf(key: string): number {
    return this.#stopped.get(key) ?? 0
  }

  /** How many attempts of a mutation that is not over the rules stopped. */
  stoppedAttempts(endpoint: string, args: readonly unknown[]): number {
    const name = attemptNameOf(endpoint, args)
    let count = 0
    for (const attempt of this.#attempts.values()) if (attempt.name === name) count += attempt.stopped
    return count
  }

  #noteStopped({ id, endpoint, key, args }: RequestCall): void {
    this.#stopped.set(key, this.stoppedOf(key) + 1)
    const name = attemptNameOf(endpoint.name, args)
    this.#attempts.set(id, { name, stopped: (this.#attempts.get(id)?.stopped ?? 0) + 1 })
  }

  /** A request was answered, or failed for good. */
  noteEnd(id: number): void {
    this.#attempts.delete(id)
  }

  #replay: { readonly requests: readonly Replayed[]; readonly end: () => void } | undefined

  /** How many requests of a replayed file were not sent yet; `undefined` without one. */
  get replayLeft(): number | undefined {
    return this.#replay?.requests.filter(({ isSent }) => !isSent).length
  }

  /**
   * Answers all requests from a recording until `endReplay`, each after the recorded time.
   *
   * @throws for a recording without a whole response
   */
  replay(entries: readonly ReplayedEntry[]): void {
    const requests = requestsIn(entries)
    this.endReplay()
    const end = this.#inspector.observe({
      request: async ({ key, endpoint, signal }) => {
        const request = requests.find((each) => each.key === key && !each.isSent)
        if (request === undefined)
          throw new Error(`The file has no further request of ${endpoint.name} (${key}).`)
        request.isSent = true
        await wait(request.answer === undefined ? Infinity : request.afterMs, signal)
        return request.answer?.()
      },
    })
    this.#replay = { requests, end }
  }

  /** Lets requests reach the network again. */
  endReplay(): void {
    this.#replay?.end()
    this.#replay = undefined
  }

  /** Removes all rules. */
  end(): void {
    this.endReplay()
    this.#endRules()
  }

  #endRules(): void {
    this.#rules = []
    this.#end?.()
    this.#end = undefined
  }
}

/** @throws for a response that was cut */
function requestsIn(entries: readonly ReplayedEntry[]): readonly Replayed[] {
  const ends = new Map(
    entries.filter(({ kind }) => kind === 'response' || kind === 'error').map((end) => [end.request, end]),
  )
  return entries
    .filter(({ kind, key, request }) => kind === 'fetch' && key !== undefined && request !== undefined)
    .map(({ key = '', request, at }) => {
      const end = ends.get(request)
      const afterMs = Math.min(slowMs, Math.max(0, (end?.at ?? at) - at))
      return { key, afterMs, answer: end && answerOf(end), isSent: false }
    })
}

function answerOf({ title, payload, error }: ReplayedEntry): () => unknown {
  let body: unknown
  try {
    body = payload === undefined ? undefined : JSON.parse(payload)
  } catch {
    throw new Error(`The file has no whole response of "${title}": it was too long.`)
  }
  if (error === undefined) return () => structuredClone(body)
  const { message, path, ...details } = error
  return () => {
    // What an error policy and a screen look at: its name, status and body.
    throw Object.assign(new Error(message), { ...details, url: path, body })
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = ms === Infinity ? undefined : setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
}
