// DeleteTodo.tsx
import { useController } from '@selfsame/react'
import { todoResource } from '../api.js'

export function DeleteTodo({ id, leave }: { id: number; leave: () => void }) {
  const controller = useController()
  const remove = () => {
    leave()
    return controller.fetch(todoResource.delete, { id })
  }
  return <button onClick={remove}>Delete</button>
}
