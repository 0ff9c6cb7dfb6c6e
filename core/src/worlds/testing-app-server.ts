/** A task, as the server keeps it. */
export interface TaskRow {
  readonly id: number | string
  readonly title: string
  readonly state: 'todo' | 'done'
  readonly project: number
  /** Later tasks have greater ones. */
  readonly createdAt: number
  readonly description: string
  readonly assigneeId: number
}

/** A comment on a task, as the server keeps it. */
export interface CommentRow {
  readonly id: number | string
  readonly taskId: number | string
  readonly text: string
}

/** A user, as the server keeps it. */
export interface UserRow {
  readonly id: number
  readonly name: string
}

/** The params of a list. */
export type TaskFilter = Readonly<{ state?: string; project?: number; q?: string }>

/** What a list shows of a task. */
export type TaskSummaryRow = Omit<TaskRow, 'description' | 'assigneeId'> & {
  readonly commentCount: number
  readonly assignee: UserRow
}

/** What the server tells its clients. */
export type ServerMessage =
  | { readonly type: 'created' | 'updated' | 'deleted'; readonly task: TaskSummaryRow }
  | {
      readonly type: 'commented' | 'uncommented'
      readonly comment: CommentRow
      readonly task: TaskSummaryRow
    }
  | { readonly type: 'renamed'; readonly user: UserRow }

/** The answer to a request. */
export interface ServerAnswer {
  readonly status: number
  readonly value: unknown
}

export const serverPageSize = 3

/** A server with tasks, comments and users: lists in pages with a number, newest first. */
export class AppServer {
  readonly tasks = new Map<string, TaskRow>()
  readonly comments = new Map<string, CommentRow>()
  readonly users = new Map<number, UserRow>([
    [1, { id: 1, name: 'Ann' }],
    [2, { id: 2, name: 'Bob' }],
  ])
  /** Receives each change. */
  tell: (message: ServerMessage) => void = () => {}
  #ids = 0

  constructor() {
    for (let count = 1; count <= 7; count++) {
      this.#create({ title: count % 3 === 0 ? 'x' : 'y', state: count % 2 === 0 ? 'done' : 'todo' })
      if (count > 5) this.#comment({ taskId: count, text: 'first' })
    }
  }

  /** All rows of a list, in order. */
  list({ state, project, q }: TaskFilter): TaskSummaryRow[] {
    return [...this.tasks.values()]
      .filter(
        (task) =>
          (state === undefined || task.state === state) &&
          (project === undefined || task.project === Number(project)) &&
          (q === undefined || task.title.includes(q)),
      )
      .sort((a, b) => b.createdAt - a.createdAt)
      .map((task) => this.summary(task))
  }

  summary({ id, title, state, project, createdAt, assigneeId }: TaskRow): TaskSummaryRow {
    const assignee = this.users.get(assigneeId) as UserRow
    return { id, title, state, project, createdAt, assignee, commentCount: this.commentsOf(id).length }
  }

  detail(task: TaskRow): TaskSummaryRow & Pick<TaskRow, 'description'> {
    return { ...this.summary(task), description: task.description }
  }

  commentsOf(taskId: number | string): CommentRow[] {
    return [...this.comments.values()].filter((comment) => String(comment.taskId) === String(taskId))
  }

  /** Does what is asked for. */
  handle(method: string, url: string, body: object): ServerAnswer {
    const { pathname, searchParams } = new URL(url, 'http://server')
    const [, kind, id = ''] = pathname.split('/')
    if (kind === 'task') {
      if (method === 'POST') return this.#create(body as Partial<TaskRow>)
      if (id === '') return { status: 200, value: this.#page(Object.fromEntries(searchParams)) }
      const task = this.tasks.get(id)
      if (task === undefined) return { status: 404, value: {} }
      if (method === 'GET') return { status: 200, value: this.detail(task) }
      return method === 'DELETE' ? this.#delete(task) : this.#change(task, body as Partial<TaskRow>)
    }
    if (kind === 'user') {
      const user = { ...(this.users.get(Number(id)) as UserRow), ...(body as Partial<UserRow>) }
      this.users.set(user.id, user)
      this.tell({ type: 'renamed', user })
      return { status: 200, value: user }
    }
    if (method === 'GET') return { status: 200, value: this.commentsOf(searchParams.get('taskId') ?? '') }
    return method === 'POST' ? this.#comment(body as Omit<CommentRow, 'id'>) : this.#uncomment(id)
  }

  #page({ page = '1', ...filter }: Record<string, string>) {
    const rows = this.list(filter as TaskFilter)
    const end = Number(page) * serverPageSize
    return {
      items: rows.slice(end - serverPageSize, end),
      total: rows.length,
      nextPage: end < rows.length ? Number(page) + 1 : null,
    }
  }

  #create(given: Partial<TaskRow>): ServerAnswer {
    const { id = ++this.#ids, title = '', state = 'todo' } = given
    const { project = 1 + (this.#ids % 2), createdAt = this.#ids, assigneeId = 1 } = given
    if (this.tasks.has(String(id))) return { status: 409, value: {} }
    const task = { id, title, state, project, createdAt, assigneeId, description: `about ${id}` }
    this.tasks.set(String(id), task)
    this.tell({ type: 'created', task: this.summary(task) })
    return { status: 201, value: this.detail(task) }
  }

  #change(task: TaskRow, body: Partial<TaskRow>): ServerAnswer {
    const changed = { ...task, ...body }
    this.tasks.set(String(task.id), changed)
    this.tell({ type: 'updated', task: this.summary(changed) })
    return { status: 200, value: this.detail(changed) }
  }

  #delete(task: TaskRow): ServerAnswer {
    const summary = this.summary(task)
    this.tasks.delete(String(task.id))
    for (const { id } of this.commentsOf(task.id)) this.comments.delete(String(id))
    this.tell({ type: 'deleted', task: summary })
    return { status: 204, value: null }
  }

  #comment(given: Omit<CommentRow, 'id'> & { readonly id?: number | string }): ServerAnswer {
    const task = this.tasks.get(String(given.taskId))
    if (task === undefined) return { status: 404, value: {} }
    const comment = { ...given, id: given.id ?? ++this.#ids }
    this.comments.set(String(comment.id), comment)
    this.tell({ type: 'commented', comment, task: this.summary(task) })
    return { status: 201, value: comment }
  }

  #uncomment(id: string): ServerAnswer {
    const comment = this.comments.get(id)
    const task = comment && this.tasks.get(String(comment.taskId))
    if (comment === undefined || task === undefined) return { status: 404, value: {} }
    this.comments.delete(id)
    this.tell({ type: 'uncommented', comment, task: this.summary(task) })
    return { status: 204, value: null }
  }
}
