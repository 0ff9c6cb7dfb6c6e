import type { Middleware } from '../controller/controller.js'
import type { Action } from '../controller/middleware.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { isEntityClass } from '../schema/schema.js'

/** What `logger` may be told. */
export interface LoggerOptions {
  /** Writes one line. `action` is given only with `payloads`. @default console.log */
  readonly log?: ((line: string, action?: Action) => void) | undefined
  /**
   * Whether the action itself is handed to `log` as well: with it arguments, bodies, answers, and errors with all that
   * they hold. @default false
   */
  readonly payloads?: boolean | undefined
  /** Which actions are written. @default all */
  readonly isMeant?: ((action: Action) => boolean) | undefined
}

/** How much is written of the key of a call: characters. That of a GraphQL query has its document in it. */
const longestKey = 160

/**
 * Writes a line for each action when it is done: what it was, the call by its key, how long a request took by the
 * Controller's clock, and the error if it failed. No header values, no bodies, no answers; the arguments of a mutation
 * only as far as they are part of an address.
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
    /** When the requests in flight began, by their ids. */
    const begun = new Map<number, number>()
    return {
      passesOn: !payloads,
      before(action) {
        if (action.type === 'fetch') begun.set(action.id, clock.now())
      },
      after(action, refusal) {
        const notes = [describe(action)]
        if (action.type === 'response' || action.type === 'error') {
          const begin = begun.get(action.id)
          // A response that could not be stored is an error as well, which was written first.
          if (begin !== undefined) notes.push(`${clock.now() - begin} ms`)
          begun.delete(action.id)
        }
        // The requests that these end are not named one by one.
        if (action.type === 'resetAll' || action.type === 'dispose') begun.clear()
        if ('error' in action) notes.push(`${action.error.name}: ${action.error.message}`)
        if (refusal !== undefined) notes.push(`refused: ${refusal.message}`)
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

function describe(action: Action): string {
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
      return `${action.type} ${nameOfCall(action.endpoint as Partial<EndpointLike>, action.key)}`
  }
}

/** The name and the key; of a mutation whose key is made of its arguments, which may be secret, the name. */
function nameOfCall(endpoint: Partial<EndpointLike>, key: string): string {
  const { name = '' } = endpoint
  if (endpoint.sideEffect === true && !('path' in endpoint)) return name
  const short = key.length > longestKey ? `${key.slice(0, longestKey)}…` : key
  return short.startsWith(name) ? short : `${name} ${short}`
}
