import { Counted, Endpoint, Entity, schema } from '../index.js'
import type { Controller } from '../index.js'
import type { StreamSink } from '../live.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { order, rule } from '../rules.js'
import type { ServerMessage, TaskFilter } from './testing-app-server.js'

/** What one application is like. */
export interface AppStyle {
  /** `true` if rules tell which tasks belong to a list, and where. */
  readonly hasRules: boolean
  /** `true` if the client chooses the ids of new records. */
  readonly hasOwnIds: boolean
  /** `true` if mutations are shown before they are answered. */
  readonly isEarly: boolean
  /** `true` if lists load further pages as `useInfinite` does. */
  readonly isInfinite: boolean
  /** `true` if a refetch of a list requests all its pages. */
  readonly isRefetched: boolean
  /** `true` if the server tells of changes. */
  readonly isLive: boolean
}

class AppUser extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

/** What lists show of a task. */
class AppTask extends Entity {
  id: number | string = 0
  title = ''
  state = 'todo'
  project = 0
  createdAt = 0
  commentCount = 0
  assignee: AppUser | undefined
  static override key = 'Task'
  static override schema = { assignee: AppUser }
}

class AppTaskDetail extends AppTask {
  description = ''
  static override validate({ description }: { description?: string }) {
    return description === undefined ? 'description is missing' : undefined
  }
}

class AppComment extends Entity {
  id: number | string = 0
  taskId: number | string = 0
  text = ''
  static override key = 'Comment'
}

/** The records, endpoints and messages of an application, written as the guides advise. */
export function createApp(style: AppStyle) {
  const early = style.isEarly ? { optimistic } : {}
  const tasks = new schema.Collection(
    [AppTask],
    style.hasRules
      ? {
          filter: rule(
            (task: AppTask, { state, project, q }: TaskFilter) =>
              (state === undefined || task.state === state) &&
              (project === undefined || task.project === project) &&
              (q === undefined || task.title.includes(q)),
          ),
          orderBy: order('createdAt', 'descending'),
        }
      : {},
  )
  const taskResource = createResource({
    path: '/task/:id',
    schema: AppTaskDetail,
    searchParams: {} as TaskFilter,
    ...early,
  }).extend(({ getList }) => ({
    getList: getList.extend({
      schema: new Counted({ items: tasks, total: 0, nextPage: 0 as number | null }, 'total'),
      paginationField: 'page',
      ...(style.isRefetched ? { refetchPages: true } : {}),
    }),
  }))
  const userResource = createResource({ path: '/user/:id', schema: AppUser, ...early })
  const comments = createResource({
    path: '/comment/:id',
    searchParams: {} as { taskId: number | string },
    schema: AppComment,
    ...early,
  })
  const count = (taskId: number | string, by: number) => ({
    [taskResource.get.key({ id: taskId })]: (task: AppTaskDetail) => ({
      ...task,
      commentCount: task.commentCount + by,
    }),
  })
  const addComment = comments.create.extend({ update: (comment: AppComment) => count(comment.taskId, 1) })
  const deleteComment = comments.delete.extend({
    searchParams: {} as { taskId: number | string },
    searchToString: () => '',
    update: (_deleted, { taskId }) => count(taskId, -1),
  })

  const reads = [taskResource.get, taskResource.getList, comments.getList]

  const apply = (controller: Controller, sink: StreamSink, message: ServerMessage) =>
    sink.batch(() => {
      if ('comment' in message) {
        const { comment, task, type } = message
        if (type === 'commented') sink.set(comments.getList.schema.push, {}, comment as never)
        else sink.set(new schema.Delete(AppComment), {}, { id: comment.id } as never)
        sink.set(AppTask, {}, task as never)
      } else if (message.type === 'created') sink.set(tasks.unshift, {}, message.task as never)
      else if (message.type === 'deleted')
        sink.set(new schema.Delete(AppTask), {}, { id: message.task.id } as never)
      else if (message.type === 'updated') {
        sink.set(tasks.move, {}, message.task as never)
        const detail = taskResource.get.key({ id: message.task.id })
        controller.expireAll({ testKey: (key) => key === detail })
      } else if (message.type === 'renamed') sink.set(AppUser, {}, message.user as never)
    })

  /** @param open - receives the stream when it opens */
  const createFeed = (controller: Controller, open: (sink: StreamSink) => void) => {
    const feed = new Endpoint(
      async (): Promise<null> => {
        // Not the first time, but after a gap: what is on screen is refetched.
        if (controller.read(feed).data === null) for (const endpoint of reads) controller.expireAll(endpoint)
        return null
      },
      {
        name: 'feed',
        dataExpiryLength: Infinity,
        stream: (sink) => {
          open(sink)
          return () => {}
        },
      },
    )
    return feed
  }
  return { taskResource, userResource, comments, addComment, deleteComment, reads, createFeed, apply }
}

export type App = ReturnType<typeof createApp>
