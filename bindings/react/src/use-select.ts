import { Selection } from '@selfsame/core/bindings'
import type { ArgsOf, DataForArgs, GivenArgs, NullableArgs, ReadEndpoint } from '@selfsame/core'
import { useState } from 'react'
import { useBeforePaint } from './server.js'
import { useObserver } from './use-observer.js'
import { fetchIfDue, useReading } from './use-suspense.js'

/**
 * Reads a call like `useSuspense`, and returns a part of its data. The component re-renders only when that part changes.
 *
 * @param endpoint - an endpoint that reads
 * @param select - selects the part. A new value with the same content, such as the result of `filter`, stays the same
 *   object. May be a new function in each render
 * @param args - its arguments, or `null` to read nothing; `select` then receives `undefined`
 * @returns the result of `select`
 * @throws what `useSuspense` throws
 * @see specification 4.5, The small hooks
 * @example
 * const open = useSelect(todoResource.getList, (todos) => todos.filter(({ completed }) => !completed).length)
 */
export function useSelect<E extends ReadEndpoint, const A extends NullableArgs<ArgsOf<E>>, Part>(
  endpoint: E,
  select: (data: DataForArgs<E, A>) => Part,
  ...args: GivenArgs<E, A>
): Part {
  type Data = DataForArgs<E, A>
  const [selection] = useState(() => new Selection<Data, Part>(select))
  const observed = useObserver<Data, unknown>('useSelect', endpoint, args, selection.read, fetchIfDue)
  const part = selection.of(useReading(observed), select)
  useBeforePaint(() => {
    selection.use(select)
    // The next part is compared with this one, which may be of another selector than the last one that was compared.
    observed.memory.shows(observed, part)
  })
  return part
}
