import { ObserverGroup, keyOfCalls, nameOfCalls } from '@selfsame/core/bindings'
import type { CheckedCalls, DataOfCalls, EndpointLike, ReadCalls } from '@selfsame/core'
import { isOnServer, useServed } from './server.js'
import { useProvided } from './use-controller.js'
import { useWatched } from './use-observer.js'
import type { Observed } from './use-observer.js'
import { fetchIfDue, useReading } from './use-suspense.js'

const readState = (observer: ObserverGroup): object => observer.state()

/**
 * Reads several calls in parallel, each like `useSuspense`. All requests start before the hook suspends; two
 * `useSuspense` in one component would start one after the other. The number of calls may change from render to
 * render.
 *
 * @param calls - a list of calls, or an object of them. Each call is a list: an endpoint that reads, then its arguments,
 *   or `null` to read nothing
 * @returns the data of all calls, in a list or an object like the one given; `undefined` for `null`. It is immutable,
 *   and the same object until one of its values changes
 * @throws the error of the first call that failed, to the nearest error boundary; {SelfsameError} `provider-missing`
 *   outside a `DataProvider`; `argument-invalid` if `calls` is not a list or object of calls
 * @see specification 3, 4.5
 * @example
 * const [user, posts] = useSuspenseAll([[userResource.get, { id }], [postResource.getList, { userId: id }]])
 * @example
 * const { user, team } = useSuspenseAll({ user: [userResource.get, { id }], team: [getTeam, teamId ? { teamId } : null] })
 */
export function useSuspenseAll<const Calls extends ReadCalls>(
  calls: Calls & CheckedCalls<Calls>,
): DataOfCalls<Calls> {
  const observed = useGroup('useSuspenseAll', calls, ObserverGroup, readState, fetchIfDue)
  // Each member is the data of its endpoint.
  return useReading(observed) as DataOfCalls<Calls>
}

/** Watches several calls for a component. `endpoint` of `useWatched` is the class: other calls are those of one endpoint. */
export function useGroup<Group extends ObserverGroup, Shown>(
  hook: string,
  calls: ReadCalls,
  Kind: new (...given: ConstructorParameters<typeof ObserverGroup>) => Group,
  read: (group: Group) => Shown,
  onShown?: (group: Group) => void,
): Observed<Shown, Group> {
  const provided = useServed(useProvided(nameOfCalls, hook, calls), undefined, calls)
  const { controller } = provided
  const key = keyOfCalls(controller, calls)
  return useWatched(
    provided,
    key,
    (memory, kept?: Group) => {
      const before = memory.onScreen?.observer as Group | undefined
      const group = kept ?? new Kind(controller, calls, before, memory, !isOnServer())
      group.follow(calls)
      return group
    },
    read,
    onShown,
    Kind as Partial<EndpointLike>,
  )
}
