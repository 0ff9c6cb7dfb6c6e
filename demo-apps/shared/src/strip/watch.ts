import type { Controller } from '@selfsame/core'
import { Inspector } from '@selfsame/core/inspect'
import type { InspectedCall } from '@selfsame/core/inspect'
import { explain, record } from '@selfsame/devtools'
import { lineOf } from './told.js'
import type { Line, Told } from './told.js'

/** How long it is quiet before a moment is over, in milliseconds: a screen has mounted what it shows. */
const quietMs = 300

/** The reason in what `explain` says: "fetch Article.get 5, because … (2 ms ago)". */
const reasonIn = /(because .*) \(\d+ \w+ ago\)$/

/**
 * Tells what the library did last. A moment begins with a request or with something that the user does, and is over when it has
 * been quiet for a while, so that a screen with several calls is one line.
 *
 * @param page - the clicks and keys on it are what the user does
 * @returns a function that ends it
 */
export function watch(controller: Controller, page: Document, tell: (line: Line) => void): () => void {
  const endRecord = record(controller)
  const inspector = new Inspector(controller)
  /** The requests of the moment, by their id. */
  let requests = new Map<number, Told & { readonly key: string }>()
  let shown = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const look = () => {
    timer = undefined
    const now = onScreen(inspector)
    const asked = new Set([...requests.values()].map(({ key }) => key))
    const cached = now.filter(
      ({ id, key, receivedAt }) => !shown.has(id) && !asked.has(key) && receivedAt !== undefined,
    )
    const line = lineOf({
      requests: [...requests.values()].map(({ key, kind, name, why, error }) => {
        return { kind, name, why, error, readers: inspector.readersOf(key).length }
      }),
      cached: cached.map(nameOf),
    })
    requests = new Map()
    shown = new Set(now.map(({ id }) => id))
    if (line !== undefined) tell(line)
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(look, quietMs)
  }
  const endActions = inspector.observe({
    before(action) {
      if (action.type !== 'fetch') return
      const { id, endpoint, args, key, kind } = action
      const why = reasonIn.exec(explain(controller, endpoint as never, ...args).fetched ?? '')?.[1] ?? ''
      requests.set(id, {
        kind,
        key,
        name: nameOf({ endpoint: endpoint.name, args }),
        why,
        readers: 0,
        error: undefined,
      })
      wait()
    },
    after(action) {
      // A request that nobody wants any more has not failed.
      if (action.type !== 'error' || action.error.name === 'AbortError') return
      const request = requests.get(action.id)
      const { kind, key, endpoint, args, error } = action
      requests.set(action.id, {
        ...(request ?? { kind, key, name: nameOf({ endpoint: endpoint.name, args }), why: '', readers: 0 }),
        error: error.message.split('\n')[0] ?? error.name,
      })
      wait()
    },
  })
  const events = ['click', 'keyup', 'popstate'] as const
  for (const event of events) page.defaultView?.addEventListener(event, wait)
  wait()
  return () => {
    for (const event of events) page.defaultView?.removeEventListener(event, wait)
    clearTimeout(timer)
    endActions()
    endRecord()
  }
}

function onScreen(inspector: Inspector): readonly InspectedCall[] {
  return inspector.calls().filter(({ readers }) => readers.length > 0)
}

/** `Article.get 5`, `getPages`. */
function nameOf({ endpoint, args }: Pick<InspectedCall, 'endpoint' | 'args'>): string {
  const [params] = args
  const { id } = (typeof params === 'object' && params !== null ? params : {}) as { readonly id?: unknown }
  return id === undefined ? endpoint : `${endpoint} ${String(id)}`
}
