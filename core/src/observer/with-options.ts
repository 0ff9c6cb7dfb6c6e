import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import type { Queryable } from '../schema/query-of.js'
import { poll } from './polling.js'
import { carry, ownOptionsOf } from './reader-options.js'
import type { AttendedReader, ReaderOptions } from './reader-options.js'

/**
 * Sets options for one reader. They travel with the endpoint, because hooks take any number of arguments: the call, its
 * key, its request and its data are those of the endpoint itself. It may be called in each render.
 *
 * @param endpoint - an endpoint, a `Query` or another queryable
 * @param options - its existing options are kept, unless these replace them
 * @returns a value to pass to a hook in place of the endpoint, and to nothing else
 * @see specification 4.5, Options of one reader
 * @example
 * const todos = useSuspense(withOptions(todoResource.getList, { keepPrevious: true }), { page })
 */
export function withOptions<E extends CacheableEndpoint | Queryable>(endpoint: E, options: ReaderOptions): E {
  return withOptionsBy(endpoint, options, (value) => value)
}

/** Options as a caller gives them. They may be read at any time, and have members of their own. */
type GivenOptions = { readonly [Name in keyof ReaderOptions]: unknown }

/**
 * Does what `withOptions` does, for options that may be refs, stores or getters.
 *
 * @param read - returns the current value of an option
 * @param watch - calls a function after each change of what a function returns @default an option never changes by itself
 * @returns `watch` returns a function that ends it
 */
export function withOptionsBy<E>(
  endpoint: E,
  options: GivenOptions,
  read: (value: never) => unknown,
  watch?: (get: () => unknown, tell: () => void) => () => void,
): E {
  const before = ownOptionsOf(endpoint)
  const current = new CurrentOptions(options, read, before?.options)
  const follow =
    before === undefined || 'interval' in options
      ? (observer: AttendedReader) => fetchRepeatedly(observer, watch)
      : before.follow
  return carry(endpoint, {
    options: current,
    follow,
    kept: (observer) => (current.keepPrevious === true ? observer.previous() : undefined),
    attend(observer) {
      const ends = [retainPrevious(observer), follow(observer)]
      return () => ends.forEach((end) => end())
    },
  })
}

/** Options as they are now. Those that are not given are those of the endpoint before, which may change, too. */
class CurrentOptions implements ReaderOptions {
  readonly #given: GivenOptions
  readonly #read: (value: never) => unknown
  readonly #before: ReaderOptions | undefined

  constructor(given: GivenOptions, read: (value: never) => unknown, before: ReaderOptions | undefined) {
    this.#given = given
    this.#read = read
    this.#before = before
  }

  get keepPrevious(): boolean | undefined {
    return this.#now('keepPrevious')
  }

  get interval(): number | undefined {
    return this.#now('interval')
  }

  get paused(): boolean | undefined {
    return this.#now('paused')
  }

  get ssr(): boolean | undefined {
    return this.#now('ssr')
  }

  get name(): string | undefined {
    return this.#now('name')
  }

  #now<Name extends keyof ReaderOptions>(name: Name): ReaderOptions[Name] {
    return name in this.#given
      ? (this.#read(this.#given[name] as never) as ReaderOptions[Name])
      : this.#before?.[name]
  }
}

/** The endpoint of `useLast`: it keeps the previous data. */
export function keepingPrevious<E>(endpoint: E): E {
  return withOptionsBy(endpoint, { keepPrevious: true }, (value) => value)
}

/** Keeps the data of the previous arguments in the cache until the reader has data of its own. */
function retainPrevious(observer: AttendedReader): () => void {
  const { previousCall: before } = observer
  const release = before && observer.inspect((calls) => (calls.retain(before), () => calls.release(before)))
  if (release === undefined) return () => {}
  let isRetained = true
  const end = () => {
    if (isRetained) release()
    isRetained = false
  }
  const endOnData = observer.subscribe(() => {
    if (observer.getSnapshot().isReadable) end()
  })
  return () => {
    endOnData()
    end()
  }
}

function fetchRepeatedly(
  observer: AttendedReader,
  watch: (get: () => unknown, tell: () => void) => () => void = () => () => {},
): () => void {
  const isPaused = () => observer.options?.paused === true
  const lengthMs = () => {
    const ms = observer.options?.interval
    return ms !== undefined && ms > 0 && !isPaused() ? ms : undefined
  }
  let isOn = true
  // Not in a render, which passes the options.
  const resume = () => {
    if (isOn && observer.isAsking && !isPaused()) observer.fetchIfDue()
  }
  const follow = (tune: () => void) => {
    let [last, wasPaused] = [lengthMs(), isPaused()]
    const tuneIfOther = () => {
      const goesOn = wasPaused && !isPaused()
      wasPaused = isPaused()
      if (goesOn) queueMicrotask(resume)
      if (lengthMs() === last) return
      last = lengthMs()
      tune()
    }
    observer.onOptions = tuneIfOther
    return watch(() => [lengthMs(), isPaused()], tuneIfOther)
  }
  const end = observer.connect((...call) =>
    poll(...call, { lengthMs, asks: () => observer.isAsking, watch: follow }),
  )
  return () => {
    isOn = false
    end()
  }
}
