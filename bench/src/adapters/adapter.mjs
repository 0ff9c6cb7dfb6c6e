/**
 * The interface of a library for the scenarios. Each step does the job as the library's documentation describes it,
 * and completely: its result is checked. A step may be asynchronous if the library is.
 *
 * @template [Store=any]
 * @typedef {object} Adapter
 * @property {boolean} [hasTypenames] - true if records carry `__typename`
 * @property {Record<string, string>} [missing] - by scenario: why it is impossible, as a sentence for readers
 * @property {Record<string, string>} [notes] - by scenario: a remark on the figure, for readers
 * @property {() => Store} create - an empty store
 * @property {(store: Store) => void} [close] - releases everything that keeps a store alive
 * @property {(store: Store, text: string) => void | Promise<unknown>} ingest - stores a response with the list
 * @property {(store: Store, text: string) => void | Promise<unknown>} [push] - stores the list as a socket or a test does, without a
 *   request. @default `ingest`
 * @property {(store: Store, text: string) => void | Promise<unknown>} [pushIssue] - stores one issue in the same way. @default `changeIssue`
 * @property {() => Store} [createSeen] - an empty store with a middleware that sees each payload
 * @property {(store: Store) => readonly any[]} readList - the list with its users and labels, as an application reads it
 * @property {(store: Store) => readonly any[]} [readByKey] - reads by key, if `readList` needs a mounted reader. @default `readList`
 * @property {(store: Store) => () => readonly any[]} [openList] - the function that a mounted reader calls when it renders
 *   again. @default `readList`
 * @property {(store: Store, callback: () => void) => () => void} [watchList] - calls back for each change of the list
 * @property {(store: Store, text: string) => void | Promise<unknown>} [changeIssue] - stores the response to a change of one issue
 * @property {(store: Store, text: string) => void | Promise<unknown>} [changeUser] - stores the response to a change of one user
 * @property {(store: Store, ids: readonly number[]) => void} [prepareReaders] - prepares the store for readers of single issues
 * @property {(store: Store, id: number, callback: (issue: any) => void) => () => void} [watchIssue] - calls back for each change of one issue
 * @property {(store: Store, process: (issues: readonly any[]) => any[]) => Derived} [derive] -
 *   derives data from the list
 * @property {(store: Store, text: string) => void | Promise<unknown>} [writeUnrelated] - stores a record that is not in the list
 * @property {() => any} [createCycle] - an empty store of records `{ id, name, next }`
 * @property {(store: any, text: string) => void | Promise<unknown>} [ingestCycle]
 * @property {(store: any) => readonly any[]} [readCycle] - all records, each with the next one in `next`
 */

/**
 * @typedef {object} Derived
 * @property {() => readonly any[]} read
 * @property {Promise<unknown>} [ready] - resolves when it can be read; missing if it can be read at once
 * @property {() => void} [close]
 * @property {boolean} [countsRuns] - true if it calls the given function, so that its calls can be counted
 */

/**
 * Memoizes the last value of a function of one argument, like `useMemo` and `computed`.
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
