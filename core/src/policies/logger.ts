import type { Middleware } from '../controller/controller.js'
import type { Action } from '../controller/middleware.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { isOwnError } from '../errors.js'
import { isEntityClass } from '../schema/schema.js'

/** Options of `logger`. */
export interface LoggerOptions {
  /** Writes one line. Receives `action` only if `payloads` is `true`. @default console.log */
  readonly log?: ((line: string, action?: Action) => void) | undefined
  /**
   * If `true`, passes the action to `log` too: with arguments, bodies, responses, and errors with all their members.
   *
   * @default false
   */
  readonly payloads?: boolean | undefined
  /** Returns `true` for the actions to log. @default all */
  readonly isMeant?: ((action: Action) => boolean) | undefined
}

/** The maximum length of a logged key, in characters. The key of a GraphQL query contains its document. */
const longestKey = 160

/**
 * Logs a line when an action is done: its type, the key of the call, the duration of a request by the Controller's
 * clock, and its error. Logs no header values, bodies or responses, and arguments of a mutation only if they are part
 * of its URL.
 *
 * @see specification 4.5, Middleware
 * @example new Controller({ middleware: [logger()] })
 * // fetch Todo.get GET https://api.example.com/todo/5
 * // response Todo.get GET https://api.example.com/todo/5, 120 ms
 * @example logger({ isMeant: ({ type }) => type === 'error', log: (line) => report(line) })
 */
export function logger(options: LoggerOptions = {}): Middleware {
  const { log = writeToConsole, payloads = false, isMeant = () => true } = options
  return ({ clock }) => {
    /** When each request in flight started, by id. */
    const begun = new Map<number, number>()
    return {
      passesOn: !payloads,
      before(action) {
        if (action.type === 'fetch') begun.set(action.id, clock.now())
      },
      after(action, refusal) {
        const notes = [lineOf(action)]
        if (action.type === 'response' || action.type === 'error') {
          const begin = begun.get(action.id)
          // A response that could not be stored is logged as an error first; that removed the start time.
          if (begin !== undefined) notes.push(`${clock.now() - begin} ms`)
          begun.delete(action.id)
        }
        // These actions end all requests, without an action for each.
        if (action.type === 'resetAll' || action.type === 'dispose') begun.clear()
        if ('error' in action) notes.push(describeError(action.error))
        if (refusal !== undefined) notes.push(`refused: ${describeError(refusal)}`)
        if (!isMeant(action)) return
        if (payloads) log(notes.join(', '), action)
        else log(notes.join(', '))
      },
    }
  }
}

function writeToConsole(...line: readonly unknown[]): void {
  console.log(...line)
}

/** Only the name of an error that others made, because its text may hold a secret. */
function describeError(error: Error): string {
  return isOwnError(error) ? `${error.name}: ${error.message}` : error.name
}

function lineOf(action: Action): string {
  switch (action.type) {
    case 'set': {
      const { schema } = action
      return `set ${isEntityClass(schema) ? schema.key : Object(schema).constructor.name}`
    }
    case 'invalidateAll':
    case 'expireAll':
      return `${action.type} ${(action.endpoint as Partial<EndpointLike>).name ?? ''}`.trim()
    case 'hydrate':
    case 'resetAll':
    case 'dispose':
      return action.type
    default:
      return `${action.type} ${loggedNameOf(action.endpoint as Partial<EndpointLike>, action.key)}`
  }
}

/** The name and the key. Only the name of a mutation whose key contains its arguments, which may be secret. */
function loggedNameOf(endpoint: Partial<EndpointLike>, key: string): string {
  const { name = '' } = endpoint
  if (endpoint.sideEffect === true && !('path' in endpoint)) return name
  const short = key.length > longestKey ? `${key.slice(0, longestKey)}…` : key
  return short.startsWith(name) ? short : `${name} ${short}`
}
