import { Entity } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'

// The sample of docs/mutations.md, Change counts and totals.

export class Task extends Entity {
  id = 0
  title = ''
  commentCount = 0
  static override key = 'Task'
}

export class Comment extends Entity {
  id = 0
  taskId = 0
  text = ''
  static override key = 'Comment'
}

export const taskResource = createResource({ path: '/task/:id', schema: Task })

export const comments = createResource({
  path: '/comment/:id',
  searchParams: {} as { taskId: number },
  schema: Comment,
  optimistic,
})

const count = (taskId: number, by: number) => ({
  [taskResource.get.key({ id: taskId })]: (task: Task) => ({
    ...task,
    commentCount: task.commentCount + by,
  }),
})

export const addComment = comments.create.extend({
  update: (comment: Comment) => count(comment.taskId, 1),
})

// `taskId` is for `update`: it is not sent.
export const deleteComment = comments.delete.extend({
  searchParams: {} as { taskId: number },
  searchToString: () => '',
  update: (_deleted, { taskId }) => count(taskId, -1),
})
