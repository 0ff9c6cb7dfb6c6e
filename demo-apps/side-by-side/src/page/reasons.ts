import { Inspector } from '@selfsame/core/inspect'
import { explain, record } from '@selfsame/devtools'
import { articleResource, controller, requestLog, restPrefix } from '../api.js'
import { onShow } from './address.js'

/** The time in which the panes mount what they show, in milliseconds. */
const mountingTime = 150

/** The names that the panes give their readers. */
const panes = ['React', 'Vue', 'Svelte']

const inspector = new Inspector(controller)

/** Adds to the log why each request was sent, and why others were not. */
export function explainRequests(): void {
  record(controller)
  inspector.observe({
    before(action) {
      if (action.type !== 'fetch') return
      const { endpoint, args, key, kind } = action
      const explained = explain(controller, endpoint as never, ...args).fetched ?? ''
      requestLog.explain(key, kind === 'mutation' ? 'You made this change.' : causeIn(explained))
    },
    after(action) {
      if (action.type === 'error' && action.kind === 'mutation')
        requestLog.save(action.key, { count: 0, why: 'The optimistic change was rolled back.' })
      if (action.type !== 'response') return
      if (action.kind === 'read') later(() => noteSharing(action.key))
      else noteUpdates(action.key, String((action.response as { readonly id?: unknown } | undefined)?.id))
    },
  })
  onShow((id) => {
    // The entry of a request is replaced when it is answered, so it is known by its number.
    const before = requestLog.newest?.number
    const calls = inspector.callsOf(articleResource.get.key({ id }))
    const wasKnown = calls.some(({ receivedAt }) => receivedAt !== undefined)
    later(() => {
      if (wasKnown && requestLog.newest?.number === before) noteRead(id)
    })
  })
}

/** "fetch getList, because ArticleList mounted; nothing was cached (2 ms ago)": the part after "because". */
function causeIn(explained: string): string {
  const cause = /because (.*) \(\d+ \w+ ago\)$/.exec(explained)?.[1] ?? explained
  return `${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`
}

/** Several panes share one request. */
function noteSharing(key: string): void {
  const readers = new Set(inspector.readersOf(key))
  const sharing = panes.filter((name) => readers.has(name))
  if (sharing.length < 2) return
  requestLog.save(key, { count: sharing.length - 1, why: `${listOf(sharing)} share it.` })
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}

/** What the response of a mutation updates is not fetched again. */
function noteUpdates(key: string, id: string): void {
  const [type, pk] = /\/(article|user)(?:\/(\d+))?/.exec(key)?.slice(1) ?? []
  const shown = inspector.record(type === 'user' ? 'User' : 'Article', pk ?? id)?.shownBy ?? []
  const names = shown
    .filter(({ retainers }) => retainers > 0)
    .map(({ endpoint, args }) => nameOf(endpoint, args))
  const count = Math.max(1, names.length)
  const what = names.length > 0 ? listOf(names) : 'the list'
  requestLog.save(key, {
    count,
    why: `Not refetched: ${what}. The response updated ${count > 1 ? 'them' : 'it'}.`,
  })
}

function nameOf(endpoint: string, [params]: readonly unknown[]): string {
  const id = (params as { readonly id?: number } | undefined)?.id
  return endpoint.endsWith('getList') ? 'the list' : `article ${id}`
}

function noteRead(id: number): void {
  const { now } = explain(controller, articleResource.get, { id })
  const url = `${restPrefix}/article/${id}`
  requestLog.addRead(url, now.replace(/^It is n/, 'N'))
}

function later(note: () => void): void {
  setTimeout(note, mountingTime)
}
