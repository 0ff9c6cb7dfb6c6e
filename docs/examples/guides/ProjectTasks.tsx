// ProjectTasks.tsx
import { useController, useLoading, useSuspense } from '@selfsame/react'
import { taskResource } from './project.js'

export function ProjectTasks({ projectId }: { projectId: number | string }) {
  const tasks = useSuspense(taskResource.getList, { projectId })
  const controller = useController()
  const { run: add, error } = useLoading((title: string) =>
    controller.fetch(taskResource.create, { projectId, title }),
  )
  return (
    <>
      <ul>
        {tasks.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <button onClick={() => void add('New task')}>Add a task</button>
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
