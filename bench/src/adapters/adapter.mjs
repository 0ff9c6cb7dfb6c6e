/**
 * How the scenarios use a library. Each step is what the library's documentation gives for that job, and nothing less:
 * what it gives back is checked. A step may be asynchronous where the library is.
 *
 * @template [Store=any]
 * @typedef {object} Adapter
 * @property {boolean} [hasTypenames] - whether records carry `__typename`
 * @property {Record<string, string>} [missing] - by scenario: why it cannot be done, as a sentence for a reader
 * @property {Record<string, string>} [notes] - by scenario: what a reader should know of the figure
 * @property {() => Store} create - an empty store
 * @property {(store: Store) => void} [close] - ends what would keep a store alive
 * @property {(store: Store, text: string) => void | Promise<unknown>} ingest - the answer to the list's request, or to its next one
 * @property {(store: Store, text: string) => void | Promise<unknown>} [push] - the list, as a socket or a test brings it, without a
 *   request. @default `ingest`
 * @property {(store: Store, text: string) => void | Promise<unknown>} [pushIssue] - one issue, in the same way. @default `changeIssue`
 * @property {() => Store} [createSeen] - an empty store with a middleware that is shown each payload
 * @property {(store: Store) => readonly any[]} readList - the list with its users and labels, as an application shows it
 * @property {(store: Store) => readonly any[]} [readByKey] - where `readList` is a mounted reader's. @default `readList`
 * @property {(store: Store) => () => readonly any[]} [openList] - what a mounted reader of the list calls when it is rendered
 *   again. @default `readList`
 * @property {(store: Store, callback: () => void) => () => void} [watchList] - tells of each change of the list
 * @property {(store: Store, text: string) => void | Promise<unknown>} [changeIssue] - the answer to a change of one issue
 * @property {(store: Store, text: string) => void | Promise<unknown>} [changeUser] - the answer to a change of one user
 * @property {(store: Store, ids: readonly number[]) => void} [prepareReaders] - what readers of single issues need to be there
 * @property {(store: Store, id: number, callback: (issue: any) => void) => () => void} [watchIssue] - tells of each change of one issue
 * @property {(store: Store, process: (issues: readonly any[]) => any[]) => Derived} [derive] -
 *   what is derived from the list
 * @property {(store: Store, text: string) => void | Promise<unknown>} [writeUnrelated] - a record that the list does not show
 * @property {() => any} [createCycle] - an empty store of records `{ id, name, next }`
 * @property {(store: any, text: string) => void | Promise<unknown>} [ingestCycle]
 * @property {(store: any) => readonly any[]} [readCycle] - all of them, each with the next in `next`
 */

/**
 * @typedef {object} Derived
 * @property {() => readonly any[]} read
 * @property {Promise<unknown>} [ready] - where it cannot be read at once
 * @property {() => void} [close]
 * @property {boolean} [countsRuns] - whether it is computed by the function that it was given, so that its calls mean something
 */

/**
 * Keeps the last value of a function of one argument, as `useMemo` and `computed` do.
 *
 * @template Input, Value
 * @param {(input: Input) => Value} compute
 * @returns {(input: Input) => Value}
 */
export function memoize(compute) {
  /** @type {{ input: Input, value: Value } | undefined} */
  let last
  return (input) => {
    if (last === undefined || last.input !== input) last = { input, value: compute(input) }
    return last.value
  }
}
