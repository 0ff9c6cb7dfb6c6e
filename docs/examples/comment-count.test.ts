import { Controller } from '@selfsame/core'
import { expect, test } from 'vitest'
import {
  addComment,
  comments,
  deleteComment,
  Task,
  taskResource,
} from './guides/comments.js'

test('a count of a task follows its comments wherever the task is shown', async () => {
  const sent: string[] = []
  let isRefusing = false
  const controller = new Controller({
    fetch: async (url, init) => {
      sent.push(`${init?.method ?? ''} ${String(url)}`)
      if (isRefusing) return new Response(null, { status: 403 })
      if (init?.method === 'DELETE') return new Response(null, { status: 204 })
      return Response.json({ id: 2, ...JSON.parse(init?.body as string) })
    },
  })
  const ofTask = { taskId: 5 }
  controller.setResponse(taskResource.getList, [
    { id: 5, title: 'a', commentCount: 1 },
  ])
  controller.setResponse(comments.getList, ofTask, [{ id: 1, ...ofTask }])
  const shown = () => [
    controller.read(taskResource.getList).data?.[0]?.commentCount,
    controller.read(comments.getList, ofTask).data?.length,
  ]

  // No reader has read the call that shows the task.
  await controller.fetch(addComment, { ...ofTask, text: 'New' })
  expect(shown()).toEqual([2, 2])
  expect(controller.read(taskResource.get, { id: 5 }).status).toBe('Valid')

  const deleted = controller.fetch(deleteComment, { id: 2, ...ofTask })
  expect(shown()).toEqual([1, 1])
  await deleted
  expect(shown()).toEqual([1, 1])

  const added = controller.fetch(addComment, { ...ofTask, text: 'New' })
  expect(shown()).toEqual([2, 2])
  await added
  expect(shown()).toEqual([2, 2])

  isRefusing = true
  const refused = controller.fetch(deleteComment, { id: 1, ...ofTask })
  expect(shown()).toEqual([1, 1])
  await expect(refused).rejects.toThrow('403')
  expect(shown()).toEqual([2, 2])
  expect(sent).toEqual([
    'POST /comment',
    'DELETE /comment/2',
    'POST /comment',
    'DELETE /comment/1',
  ])

  // A task that is not stored stays so.
  isRefusing = false
  await controller.fetch(addComment, { taskId: 9, text: 'New' })
  expect(controller.get(Task, { id: 9 })).toBe(undefined)
  controller.dispose()
})
