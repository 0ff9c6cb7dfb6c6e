import type { Inspector } from '@selfsame/core/inspect'

/** What happens to the requests of an endpoint. */
export interface NetworkRule {
  /** The name of the endpoint; `''` for all. */
  readonly endpoint: string
  readonly kind: 'slow' | 'fail' | 'offline'
}

/** The wait of a slow request, in milliseconds. */
const slowMs = 2000

/** Makes requests slow, failing or offline, to try these states by hand. */
export class NetworkRules {
  readonly #inspector: Inspector
  #rules: readonly NetworkRule[] = []
  #end: (() => void) | undefined
  /** By key, how many requests never left the page. */
  readonly #stopped = new Map<string, number>()
  /** By the arguments of a mutation, which several of one key do not share. */
  readonly #stoppedWith = new WeakMap<readonly unknown[], number>()

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
    if (this.#rules.length === 0) this.end()
    else
      this.#end ??= this.#inspector.observe({
        request: async ({ endpoint: { name }, key, args, signal }, next) => {
          const kindNow = this.of(name)
          if (kindNow === 'fail' || kindNow === 'offline') this.#noteStopped(key, args)
          if (kindNow === 'fail') throw new Error(`${name} failed: the panel made it fail.`)
          if (kindNow === 'offline') throw new TypeError('The panel is offline.')
          if (kindNow === 'slow') await wait(slowMs, signal)
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

  /** How many attempts of a mutation the rules stopped, by its arguments. */
  stoppedWith(args: readonly unknown[]): number {
    return this.#stoppedWith.get(args) ?? 0
  }

  #noteStopped(key: string, args: readonly unknown[]): void {
    this.#stopped.set(key, this.stoppedOf(key) + 1)
    this.#stoppedWith.set(args, this.stoppedWith(args) + 1)
  }

  /** Removes all rules. */
  end(): void {
    this.#rules = []
    this.#end?.()
    this.#end = undefined
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
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
