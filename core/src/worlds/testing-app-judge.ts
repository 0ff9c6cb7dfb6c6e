import type { AppPage } from './testing-app-page.js'
import type { AppServer, TaskFilter } from './testing-app-server.js'

/** The lists of the application; the last one is a search, which only rules decide. */
export const appFilters: readonly TaskFilter[] = [
  {},
  { state: 'todo' },
  { state: 'done' },
  { project: 1 },
  { q: 'x' },
]

/** What counts. */
interface JudgeOptions {
  /** `true` if all on screen has to be Valid. */
  readonly isFresh: boolean
  /** `true` if something happened once that nobody told the client. */
  readonly wasUntold: boolean
  /** Tasks of which only the server knows how many comments they have. */
  readonly doubtful: ReadonlySet<string>
}

type Id = number | string

/** @returns what is Valid, and not as on the server */
export function judgeApp(
  page: AppPage,
  server: AppServer,
  { isFresh, wasUntold, doubtful }: JudgeOptions,
): string[] {
  const wrong: string[] = []
  const { controller, readers, app, style } = page
  const isShown = (kind: string, filter: TaskFilter, id: Id) =>
    isFresh && readers.some((each) => each.kind === kind && each.id === id && isEqual(each.filter, filter))
  const textOf = (task: object) => {
    const { id, title, state, commentCount, assignee } = task as Record<string, unknown>
    const { name } = (assignee as { readonly name?: string } | undefined) ?? {}
    return [id, title, state, doubtful.has(String(id)) ? '?' : commentCount, name].join(' ')
  }
  const compare = (what: string, shown: unknown, truth: unknown) => {
    if (!isEqual(shown, truth))
      wrong.push(`${what} shows\n  ${JSON.stringify(shown)}, but is\n  ${JSON.stringify(truth)}`)
  }
  const judge = (
    what: string,
    isOnScreen: boolean,
    read: { readonly status: string; readonly error?: Error },
  ) => {
    if (isOnScreen && read.error !== undefined) wrong.push(`${what} shows the error ${read.error.message}`)
    if (isOnScreen && read.status !== 'Valid') wrong.push(`${what} is ${read.status}`)
    return read.status === 'Valid'
  }
  for (const filter of appFilters) {
    const read = page.readList(filter)
    const name = `the list ${JSON.stringify(filter)}`
    if (!judge(name, isShown('list', filter, 0), read as never) || read.data === undefined) continue
    const { items, total } = read.data
    const rows = server.list(filter)
    compare(`${name}: total`, total, rows.length)
    const shown = items.map(textOf)
    const ids = new Set(items.map(({ id }) => id))
    // Without an order only the server knows the places of those that have moved.
    const truth = style.hasRules ? rows.slice(0, shown.length) : rows.filter(({ id }) => ids.has(id))
    const inOrder = (texts: string[]) => (style.hasRules ? texts : texts.sort())
    compare(name, inOrder(shown), inOrder(truth.map(textOf)))
  }
  for (const task of server.tasks.values()) {
    const { id } = task
    const isOnScreen = isShown('detail', {}, id)
    const detail = controller.read(app.taskResource.get, { id })
    const isValid = judge(`task ${id}`, isOnScreen, detail as never)
    const truth = server.detail(task)
    const text = (each: typeof truth) => `${textOf(each)} ${each.description}`
    // Of what nobody was told of, a record that no reader shows may be old.
    if (isValid && (isOnScreen || !wasUntold)) compare(`task ${id}`, text(detail.data as never), text(truth))
    const of = controller.read(app.comments.getList, { taskId: id })
    if (judge(`comments of ${id}`, isShown('comments', {}, id), of as never))
      compare(`comments of ${id}`, idsOf(of.data), idsOf(server.commentsOf(id)))
  }
  return wrong
}

function idsOf(records: readonly { readonly id: Id }[] = []): string[] {
  return records.map(({ id }) => String(id)).sort()
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
