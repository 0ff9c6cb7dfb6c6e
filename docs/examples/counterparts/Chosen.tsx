import { useSuspenseAll } from '@selfsame/react'
import { todoResource } from '../api.js'

export function Chosen({
  ids,
  listId,
}: {
  ids: number[]
  listId: number | undefined
}) {
  const { first, list } = useSuspenseAll({
    first: [todoResource.get, { id: 1 }],
    list: [todoResource.getList, listId === undefined ? null : { listId }],
  })
  const todos = useSuspenseAll(
    ids.map((id) => [todoResource.get, { id }] as const),
  )
  return (
    <p>
      {[first, ...(list ?? []), ...todos].map(({ title }) => title).join(' ')}
    </p>
  )
}
