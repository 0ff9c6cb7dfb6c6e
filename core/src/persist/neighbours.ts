import { prefixOf } from '../controller/known-endpoints.js'
import type { Action, MiddlewareHooks } from '../controller/middleware.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { warn } from '../errors.js'
import { contractOf, plansOf } from '../schema/contract-of.js'
import { keptStates } from '../storage/kept-states.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { getOrMake } from '../util/get-or-make.js'
import { contentsOf } from './contents.js'

/** Classes that were kept or are read, and where. */
type Whereabouts = readonly (readonly [entity: string, at: string])[]

/**
 * Development only: warns once if the rows without a name have records of a class that this Controller reads at another prefix. They
 * may be those of another application.
 */
export function warningOfNeighbours(hooks: MiddlewareHooks): MiddlewareHooks {
  /** By entity key, addresses that were kept, and prefixes that are read. */
  const kept = new Map<string, Set<string>>()
  const read = new Map<string, Set<string>>()
  let isTold = false
  const compare = (entity: string, address: string, prefix: string) => {
    if (isTold || address.startsWith(prefix || '/')) return
    isTold = true
    warn(
      `persist() stored ${entity} from ${address}, but this page reads it from ${prefix || 'its own origin'}. If these are two applications on one origin, give each persist() its own \`name\`. If the API has moved, increase \`version\`.`,
    )
  }
  const note = (action: Action) => {
    for (const [entity, address] of keptBy(action)) {
      getOrMake(kept, entity, () => new Set()).add(address)
      for (const prefix of read.get(entity) ?? []) compare(entity, address, prefix)
    }
    for (const [entity, prefix] of readBy(action)) {
      const known = getOrMake(read, entity, () => new Set())
      if (known.has(prefix)) continue
      known.add(prefix)
      for (const address of kept.get(entity) ?? []) compare(entity, address, prefix)
    }
  }
  return {
    ...hooks,
    after: (action, refusal) => {
      if (refusal === undefined) note(action)
      hooks.after?.(action, refusal)
    },
  }
}

/** The addresses of the calls that an action restores. */
function keptBy(action: Action): Whereabouts {
  if (action.type !== 'hydrate' || !keptStates.has(action.state as object)) return []
  const { lists, results } = action.state as DehydratedState
  return results.flatMap((result) => {
    const [, at = ''] = /^[A-Z]+ (\S+)$/.exec(result.key) ?? []
    const entities = new Set(contentsOf(result, lists).records.map(([entity]) => entity))
    return at === '' ? [] : [...entities].map((entity) => [entity, at] as const)
  })
}

/** The prefix of the endpoint that an action reads. */
function readBy(action: Action): Whereabouts {
  if (action.type !== 'fetch' || action.kind !== 'read' || !('path' in action.endpoint)) return []
  const { schema } = action.endpoint
  const at = prefixOf(action.endpoint as EndpointLike)
  return schema === undefined ? [] : plansOf(contractOf(schema)).map(({ key }) => [key, at] as const)
}
