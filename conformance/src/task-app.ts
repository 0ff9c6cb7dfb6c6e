import { Entity, Query, schema } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { webSocket } from '@selfsame/core/live'
import type { SocketConstructor } from '@selfsame/core/live'
import { optimistic } from '@selfsame/core/optimistic'
import { NetworkError, RestEndpoint, createResource } from '@selfsame/core/rest'
import { order, rule } from '@selfsame/core/rules'

export class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

export class Task extends Entity {
  id = 0
  title = ''
  group = 0
  /** The server counts them. */
  votes = 0
  owner: User | undefined
  kind: 'task' | 'bug' = 'task'
  renamedAt = new Date(0)
  static override key = 'Task'
  static override schema = { owner: User, renamedAt: Date }
}

/** A task of another kind, whose records are its own. */
export class Bug extends Task {
  override kind = 'bug' as const
  static override key = 'Bug'
}

/** What a list tells of a task. */
export class TaskSummary extends Entity {
  id = 0
  title = ''
  group = 0
  votes = 0
  kind = 'task' as const
  renamedAt = new Date(0)
  static override key = 'SummarizedTask'
  static override schema = { renamedAt: Date }
}

/** A task of which lists tell less. */
export class SummarizedTask extends Task {
  static override key = 'SummarizedTask'
  static override validate = ({ owner }: { readonly owner?: unknown }) =>
    owner === undefined ? 'only its summary is here' : undefined
}

/** The schema of a task of any kind. */
const ofAnyKind = new schema.Union({ task: Task, bug: Bug }, 'kind') as unknown as typeof Task

/** A group with its tasks, which are the list that `tasks.getList` has of it. */
export class Group extends Entity {
  id = 0
  tasks: Task[] = []
  static override key = 'Group'
  static override schema = {
    tasks: new schema.Collection([Task], { nestKey: ({ id }: { readonly id: number }) => ({ group: id }) }),
  }
}

export interface Row extends Pick<Task, 'id' | 'title' | 'group' | 'kind' | 'votes'> {
  /** The id of a user. */
  readonly owner: number
  /** As JSON has it. */
  readonly renamedAt: string
}

/** @returns what is on the screen of a task */
export function labelOf(task: Task | undefined): string {
  return task === undefined ? '' : toLabel(task.title, task.owner?.name, task.votes, task.renamedAt)
}

export const toLabel = (title: string, owner: string | undefined, votes: number, renamedAt: Date) =>
  `${title} of ${owner}, ${votes} votes, renamed at ${renamedAt.getTime()}`

/** The time at which no task was renamed. */
export const never = new Date(0).toISOString()

/** @returns `true` if the server does not show a task any more; for other errors older data is shown */
export function isRefused(error: Error | undefined): boolean {
  return error instanceof NetworkError && error.status !== undefined && error.status < 500
}

/** What a user looks at. */
export interface Place {
  /** The list of these tasks; 0 is the list of all. */
  readonly group: number
  readonly isListed: boolean
  /** The detail that is open beside the list; `undefined` for none. */
  readonly selected: number | undefined
}

/**
 * How the items of a list read. With the third, the list and the detail read by `useDLE` too. With the next two, one component reads
 * all items at once. With the last, each item shows by `useCache` what its `useFetch` brings.
 */
export const taskHooks = [
  'useSuspense',
  'useDLE',
  'useDLE everywhere',
  'useSuspenseAll',
  'useDLEAll',
  'useFetch',
] as const

/**
 * The list as the server sent it; sorted by titles, by a Query, or by rules that say which tasks are in it, and where; loaded page by
 * page; in a field of its group; loaded in numbered pages, which are fetched again together; of records of two classes; changed by
 * mutations whose responses have the record in an envelope; of summaries, of which details tell more; or page by page by
 * rules, in the order of the ids.
 */
export const listings = [
  'as sent',
  'Query',
  'rules',
  'pages',
  'nested',
  'numbered pages',
  'kinds',
  'envelope',
  'summaries',
  'ordered pages',
] as const

/**
 * The page alone; a page that keeps its data over reloads; one whose browser has another tab of the application; both; a page that
 * keeps its changes too; one whose router brings data that the server rendered with; one that asks again and again; one to which the
 * server tells all changes; and one that keeps all, beside another tab.
 */
export const surroundings = [
  'alone',
  'kept',
  'tabs',
  'kept, tabs',
  'kept, outbox',
  'served',
  'polled',
  'live',
  'kept, outbox, tabs',
] as const

/** How the components of an application read and are arranged. */
export interface Style {
  /** The hook by which each item of the list reads its record. */
  readonly hook: (typeof taskHooks)[number]
  /** `true` if each item has a boundary of its own, or all items that are read at once have one together. */
  readonly areAlone: boolean
  /** `true` if mutations are optimistic. */
  readonly isEarly: boolean
  readonly listing: (typeof listings)[number]
  readonly surroundings: (typeof surroundings)[number]
}

/**
 * An application with a list in a boundary, and a detail in another one, which is `<b>label</b>`. Each item of the list is
 * `<li><span>label</span><i>label of its own call</i></li>`. What failed in the list is `<s></s>`. A list in pages has a `<button>` that
 * loads the next page.
 */
export interface TaskApp extends Style {
  readonly controller: Controller
  readonly tasks: ReturnType<typeof tasksOf>
  readonly groups: ReturnType<typeof groupsOf>
  /** The list of `tasks.getList` in order, without a request. */
  readonly sorted: ReturnType<typeof sortedOf>
  /** The list in pages, of which `nextPage` tells the params of the next one. */
  readonly paged: ReturnType<typeof pagedOf>
  /** The same list and detail, to connect to; `undefined` if nothing keeps them fresh. */
  readonly connected: ReturnType<typeof connectedOf>
  readonly place: Place
}

export interface MountedTaskApp {
  readonly screen: HTMLElement
  go(place: Place): Promise<void>
  /** Makes a change, maybe in a transition, in which the page shows what was before for a while. @default it is made */
  perform?: (change: () => void) => void
  /** Waits until all promises are settled and the page is rendered. */
  settle(): Promise<void>
  unmount(): Promise<void>
}

export type Send = (
  method: string,
  url: string,
  body: Partial<Row & User>,
  key: string | null,
) => Promise<Response>

const isInGroup = rule<Task>(
  (task, { group }: { readonly group?: number }) => group === undefined || task.group === group,
)

const memberOf = (listing: Style['listing']) =>
  listing === 'kinds' ? ofAnyKind : listing === 'summaries' ? SummarizedTask : Task

export function tasksOf(send: Send, { isEarly, listing }: Style) {
  const tasks = createResource({
    path: '/task/:id',
    schema: memberOf(listing),
    searchParams: {} as { group?: number },
    ...(listing === 'rules' && { filter: isInGroup, orderBy: order(byTitle) }),
    ...requestsBy(send, isEarly),
  })
  if (listing === 'summaries')
    return {
      ...tasks,
      // Nobody looks at the owner of a summary.
      getList: tasks.getList.extend({
        schema: new schema.Collection([TaskSummary]),
      }) as unknown as typeof tasks.getList,
    }
  if (listing !== 'envelope') return tasks
  const { create, update, partialUpdate } = tasks
  return {
    ...tasks,
    create: create.extend({ schema: { data: create.schema } }),
    update: update.extend({ schema: { data: update.schema } }),
    partialUpdate: partialUpdate.extend({ schema: { data: partialUpdate.schema } }),
    // The types of the responses are others, and nobody looks at them.
  } as unknown as typeof tasks
}

export function usersOf(send: Send, { isEarly }: Style) {
  return createResource({ path: '/user/:id', schema: User, ...requestsBy(send, isEarly) })
}

export function groupsOf(send: Send, { isEarly }: Style) {
  return createResource({ path: '/group/:id', schema: Group, ...requestsBy(send, isEarly) })
}

const requestsBy = (send: Send, isEarly: boolean) => ({
  ...(isEarly && { optimistic }),
  fetchResponse: (url: string, { method = 'GET', body, headers }: RequestInit) =>
    send(
      method,
      url,
      JSON.parse((body as string | undefined) ?? '{}') as Partial<Row & User>,
      new Headers(headers).get('Idempotency-Key'),
    ),
})

export const sortedOf = (tasks: ReturnType<typeof tasksOf>) =>
  new Query(tasks.getList.schema, (list) => {
    if (list.some(hasNoPlace)) throw new Error('A task has no place in this order.')
    return [...list].sort(byTitle)
  })

/** `true` for a task that the Query throws at. */
export const hasNoPlace = ({ title }: Pick<Row, 'title'>) => title.startsWith('none')

export const pagedOf = (tasks: ReturnType<typeof tasksOf>, { listing }: Style) =>
  tasks.getList.extend({
    name: 'Task.paged',
    schema: {
      results: new schema.Collection(
        [Task],
        listing === 'ordered pages' ? { filter: isInGroup, orderBy: order('id') } : {},
      ),
      nextPage: 0,
    },
    paginationField: 'cursor',
    refetchPages: listing === 'numbered pages',
  })

/** What is sent of many rows: of each its own values, or the same values for all. */
export type Bulk =
  readonly (Partial<Row> & Pick<Row, 'id'>)[] | ({ readonly ids: readonly number[] } & Partial<Row>)

/** @returns what was sent of each of many rows */
export function toMany(bulk: Bulk): readonly (Partial<Row> & Pick<Row, 'id'>)[] {
  if (!('ids' in bulk)) return bulk
  const { ids, ...values } = bulk
  return ids.map((id) => Object.assign({ id }, values))
}

/** @returns mutations of many tasks: one that changes them, and one that moves them to other lists, too */
export function bulkOf(send: Send, { getList }: ReturnType<typeof tasksOf>, style: Style) {
  const { isEarly, listing } = style
  const isWrapped = listing === 'envelope'
  const { fetchResponse } = requestsBy(send, false)
  const early = optimistic((snapshot, bulk: Bulk) => {
    const known = toMany(bulk).filter(({ id }) => snapshot.get(memberOf(listing), { id }) !== undefined)
    return isWrapped ? { data: known } : known
  })
  const ofTasks = (name: string, listed: unknown) =>
    new RestEndpoint({
      name,
      path: '/task',
      method: 'PATCH',
      body: [] as Bulk,
      // Nobody looks at the type of the response.
      schema: (isWrapped ? { data: listed } : listed) as readonly [typeof Task],
      fetchResponse,
      getOptimisticResponse: (isEarly ? early : undefined) as undefined,
    })
  return {
    change: ofTasks('Task.changeMany', [memberOf(listing)]),
    move: ofTasks('Task.moveMany', getList.schema.move),
  }
}

/** @returns the mutation that votes for a task: an optimistic one counts from what is shown */
export function voteOf(send: Send, style: Style) {
  const { isEarly, listing } = style
  const member = memberOf(listing)
  const isWrapped = listing === 'envelope'
  const { fetchResponse } = requestsBy(send, false)
  const early = optimistic((snapshot, { id }: { readonly id: number }) => {
    const task = snapshot.get(member, { id })
    const voted = task && { id, kind: task.kind, votes: task.votes + 1 }
    return isWrapped ? voted && { data: voted } : voted
  })
  return new RestEndpoint({
    name: 'Task.vote',
    path: '/task/:id/vote',
    method: 'POST',
    // Nobody looks at the type of the response.
    schema: (isWrapped ? { data: member } : member) as typeof Task,
    fetchResponse,
    getOptimisticResponse: (isEarly ? early : undefined) as undefined,
  })
}

/** What happened to a row, with the row as a client gets it, or to a user. */
export interface Change {
  readonly kind: 'created' | 'updated' | 'deleted' | 'user'
  readonly data: object
}

/** @returns the arguments of the list of a group */
export const listArgs = (group: number): { readonly group?: number } => (group === 0 ? {} : { group })

export const pollMs = 10_000

/** @returns a list, alone or in its group, and a detail that are fetched again and again, or that are told all changes */
export function connectedOf(
  tasks: ReturnType<typeof tasksOf>,
  { get: getGroup }: ReturnType<typeof groupsOf>,
  style: Style,
  WebSocket: SocketConstructor,
) {
  const { surroundings: around, listing } = style
  const { getList, get } = tasks
  const paged = pagedOf(tasks, style)
  if (around === 'polled')
    return {
      getList: getList.extend({ pollFrequency: pollMs }),
      paged: paged.extend({ pollFrequency: pollMs }),
      getGroup: getGroup.extend({ pollFrequency: pollMs }),
      get: get.extend({ pollFrequency: pollMs }),
    }
  if (around !== 'live') return undefined
  const byRule = listing === 'rules'
  const stream = webSocket<Change>('ws://server', {
    WebSocket,
    refetch: 'open',
    batchMs: 2,
    reconnect: { delayMs: 2, maxDelayMs: 8, random: () => 0 },
  }).stream({
    select: ({ data }) => data,
    schemaAttribute: 'kind',
    schemas: {
      created: byRule ? Task : getList.schema.push,
      updated: byRule ? Task : getList.schema.move,
      deleted: new schema.Delete(memberOf(listing)),
      user: User,
    },
  })
  return {
    getList: getList.extend({ stream }),
    paged: paged.extend({ stream }),
    getGroup: getGroup.extend({ stream }),
    get: get.extend({ stream }),
  }
}

export const isPaged = ({ listing }: Pick<Style, 'listing'>) =>
  listing === 'pages' || listing === 'numbered pages' || listing === 'ordered pages'

/** @returns the params of the next page; 0 after the last */
export const nextPage = (list: { readonly nextPage: number }) => list.nextPage && { cursor: list.nextPage }

export const byTitle = (a: Pick<Task, 'id' | 'title'>, b: Pick<Task, 'id' | 'title'>) =>
  a.title.localeCompare(b.title) || a.id - b.id
