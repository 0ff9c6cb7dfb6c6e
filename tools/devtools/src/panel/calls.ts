import type { InspectedCall } from '@selfsame/core/inspect'
import { explainCall } from '../explain.js'
import type { Entry } from '../recording.js'
import { countedNames, labelOf } from '../sentences.js'
import type { StateLabel } from '../sentences.js'
import { argsText, span, timeOf, toText } from '../texts.js'
import { chip, folded, h, link, pair, rowList, sentencesOf } from './dom.js'
import type { Row } from './dom.js'
import type { Panel, Tab } from '../stage.js'

/** A call with what the recording knows of it. */
interface Listed {
  readonly call: InspectedCall
  readonly label: StateLabel
  readonly requests: number
}

/** The filters, in their order. A call may be in several. */
const filters = {
  All: () => true,
  Valid: ({ label }) => label === 'Valid',
  Stale: ({ label }) => label === 'Stale',
  Invalid: ({ label }) => label === 'Invalid',
  Fetching: ({ call }) => call.fetching,
  Failed: ({ call }) => call.error !== undefined,
  'No data': ({ label }) => label === 'never fetched' || label === 'no data',
  'Sent twice or more': ({ requests }) => requests > 1,
} satisfies Record<string, (listed: Listed) => boolean>
type Filter = keyof typeof filters

/** Every call: status, age, readers, error, and what can be done to it. */
export function callsTab(panel: Panel, target?: string): Tab {
  const { controller, recording } = panel
  const { inspector } = recording
  let chosen: number | undefined = target === undefined ? undefined : inspector.callsOf(target)[0]?.id
  let isRevealed = target === undefined
  let filter: Filter = 'All'
  let shown = ''
  let shownAt = 0
  const list = rowList('Calls')
  const chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'State of the calls' })
  const search = h('input', {
    type: 'search',
    placeholder: 'Filter calls, search their data',
    'aria-label': 'Filter calls',
    oninput: refresh,
  })
  const detail = h('div', { class: 'detail', tabindex: 0, role: 'region', 'aria-label': 'The chosen call' })

  function refresh(): void {
    const all = inspector.calls().map((call): Listed => {
      const history = recording.historyOf(call.key)
      return { call, label: labelOf(call, history), requests: history?.requests ?? 0 }
    })
    showChips(all)
    const text = search.value.toLowerCase()
    const rows = all.filter((listed) => filters[filter](listed) && isFound(listed.call, text))
    if (chosen === undefined || !all.some(({ call }) => call.id === chosen)) chosen = rows[0]?.call.id
    list.show(
      rows.length,
      (index) => row(rows[index] as Listed),
      (index) => choose((rows[index] as Listed).call.id),
    )
    const place = rows.findIndex(({ call }) => call.id === chosen)
    if (!isRevealed && place !== -1) list.reveal(place)
    isRevealed = true
    const call = chosen === undefined ? undefined : inspector.call(chosen)
    const second = Math.floor(controller.clock.now() / 1000)
    const state =
      call &&
      [call.id, call.status, call.fetching, call.readers, second, recording.ownEntries.at(-1)?.id].join()
    // Not while nothing changes, so that a selection of text stays.
    if (state !== undefined && (state === shown || isTooSoon(shown, shownAt))) return
    shown = state ?? ''
    shownAt = performance.now()
    if (call !== undefined) showDetail(call)
    else
      detail.replaceChildren(
        h('p', { class: 'empty' }, all.length === 0 ? 'No calls yet.' : 'No call matches the filter.'),
      )
  }

  function showChips(all: readonly Listed[]): void {
    const names = (Object.keys(filters) as Filter[]).flatMap((name) => {
      const count = all.filter(filters[name]).length
      return count > 0 || name === filter || name === 'All' ? [{ name, count }] : []
    })
    const state = JSON.stringify([names, filter])
    if (chips.dataset['state'] === state) return
    chips.dataset['state'] = state
    chips.replaceChildren(
      ...names.map(({ name, count }) =>
        chip(`${name} ${count}`, name === filter, () => {
          filter = name
          chosen = undefined
          shown = ''
          refresh()
          chips.querySelector<HTMLElement>('[aria-pressed=true]')?.focus()
        }),
      ),
    )
  }

  function choose(id: number): void {
    chosen = id
    shown = ''
    refresh()
  }

  function row({ call, label, requests }: Listed): Row {
    return {
      isChosen: call.id === chosen,
      children: [
        h('span', { class: `tag ${label.replace(' ', '-')}` }, call.fetching ? 'fetching' : label),
        life(call, controller.clock.now()),
        h('span', { class: 'text' }, nameOf(call)),
        call.error !== undefined && label !== 'failed' && h('span', { class: 'bad' }, 'failed'),
        requests > 1 && h('span', { class: 'dim' }, `${requests}×`),
        call.readers.length > 0 &&
          h(
            'span',
            { class: 'dim' },
            `${call.readers.length} ${call.readers.length === 1 ? 'reader' : 'readers'}`,
          ),
      ],
    }
  }

  function act(text: string, run: () => void, isOff = false): HTMLElement {
    const onclick = () => {
      run()
      shown = ''
      refresh()
    }
    return h('button', { type: 'button', disabled: isOff, onclick }, text)
  }

  function showDetail(call: InspectedCall): void {
    const now = controller.clock.now()
    const name = nameOf(call)
    const { text } = explainCall({ name, key: call.key, call, inspector, recording, now })
    const label = labelOf(call, recording.historyOf(call.key))
    const { id, endpoint, isFetchable } = call
    const isSlow = recording.network.of(endpoint) === 'slow'
    keepFocus(detail, () =>
      detail.replaceChildren(
        h('h2', {}, name, h('span', { class: `tag ${label.replace(' ', '-')}` }, ` ${label}`)),
        // The first line has the name and the state, which stand above.
        sentencesOf(text.slice(text.indexOf('\n') + 1)),
        h(
          'div',
          { class: 'actions' },
          act('Refetch', () => void inspector.refetch(id).catch(() => {}), !isFetchable),
          act('Invalidate', () => inspector.invalidate(id)),
          act('Expire', () => inspector.expire(id)),
          act('Remove', () => inspector.remove(id)),
          act('Fail it', () => inspector.fail(id, new Error(`${endpoint} failed: the panel made it fail.`))),
          act(
            isSlow ? 'Not slow' : 'Slow it',
            () => recording.network.set(endpoint, isSlow ? undefined : 'slow'),
            !isFetchable,
          ),
        ),
        ...requestsOf(call),
        h('h3', {}, 'Data'),
        h(
          'pre',
          { tabindex: 0, 'aria-label': 'Data' },
          call.data === undefined ? 'No data.' : toText(call.data),
        ),
        folded(
          'More',
          h(
            'dl',
            {},
            ...pair('Received', call.receivedAt === undefined ? 'no data' : agoText(now - call.receivedAt)),
            ...pair('Expires', expiryText(call, now)),
            ...pair(
              'Readers',
              call.readers.length > 0
                ? countedNames(call.readers.map((reader) => reader ?? 'a reader'))
                : 'none',
            ),
            ...pair('Key', call.key),
            ...(call.error === undefined ? [] : pair('Error', `${call.error.name}: ${call.error.message}`)),
          ),
        ),
      ),
    )
  }

  /** The requests of a call, each with its cause and how long it took. */
  function requestsOf({ key }: InspectedCall): HTMLElement[] {
    const { ownEntries } = recording
    const sent = ownEntries.filter((entry) => entry.key === key && entry.kind === 'fetch')
    if (sent.length === 0) return []
    const ends = new Map<number, Entry>()
    for (const entry of ownEntries)
      if (entry.request !== undefined && (entry.kind === 'response' || entry.kind === 'error'))
        ends.set(entry.request, entry)
    return [
      h('h3', {}, `Requests (${sent.length})`),
      h(
        'ul',
        { class: 'links' },
        ...sent
          .slice(-20)
          .toReversed()
          .map((entry) => {
            const end = entry.request === undefined ? undefined : ends.get(entry.request)
            const took =
              end === undefined
                ? 'in flight'
                : `${end.kind === 'error' ? 'failed' : 'answered'} after ${span(end.at - entry.at)}`
            return h(
              'li',
              {},
              link(`${timeOf(entry.at)} ${entry.why ?? entry.title}`, () =>
                panel.go('Timeline', String(end?.id ?? entry.id)),
              ),
              h('span', { class: 'dim' }, ` ${took}`),
            )
          }),
      ),
    ]
  }

  return {
    element: h(
      'div',
      {},
      h('div', { class: 'side' }, h('div', { class: 'bar' }, search), chips, list.element),
      detail,
    ),
    refresh,
  }
}

export const nameOf = (call: InspectedCall): string => `${call.endpoint} ${argsText(call.args)}`.trim()

function isFound(call: InspectedCall, text: string): boolean {
  if (text === '') return true
  if (`${nameOf(call)} ${call.key}`.toLowerCase().includes(text)) return true
  return toText(call.data).toLowerCase().includes(text)
}

/** Shows other content, and gives the focus to the button with the same text, if it was in what went. */
export function keepFocus(element: HTMLElement, show: () => void): void {
  const focused = (element.getRootNode() as ShadowRoot).activeElement
  const text =
    focused !== null && element.contains(focused) && focused !== element ? focused.textContent : undefined
  const { scrollTop } = element
  const opened = [...element.querySelectorAll('details')].map(({ open }) => open)
  show()
  element.scrollTop = scrollTop
  element.querySelectorAll('details').forEach((each, index) => (each.open = opened[index] ?? false))
  if (text === undefined) return
  const same = [...element.querySelectorAll('button')].find(({ textContent }) => textContent === text)
  ;(same ?? element).focus({ preventScroll: true })
}

/** The least time between two looks at the details while much happens, in milliseconds. */
const detailMs = 250

/** `true` if details were shown a moment ago, and nothing was chosen since. The next look shows what is new. */
export function isTooSoon(shown: string, shownAt: number): boolean {
  return shown !== '' && performance.now() - shownAt < detailMs
}

const agoText = (ms: number) => `${span(ms)} ago`

function expiryText({ expiresAt }: InspectedCall, now: number): string {
  if (expiresAt === undefined) return 'no data'
  if (expiresAt === -Infinity) return 'made Stale'
  if (expiresAt === Infinity) return 'never'
  return expiresAt > now ? `in ${span(expiresAt - now)}` : agoText(now - expiresAt)
}

/** A bar that runs down until the data expires. */
function life({ receivedAt, expiresAt }: InspectedCall, now: number): HTMLElement {
  const isKnown = receivedAt !== undefined && expiresAt !== undefined
  const left = !isKnown
    ? 0
    : expiresAt === Infinity
      ? 1
      : Math.max(0, Math.min(1, (expiresAt - now) / Math.max(1, expiresAt - receivedAt)))
  return h(
    'span',
    { class: 'life', 'aria-hidden': 'true' },
    h('i', { style: `width:${Math.round(left * 100)}%` }),
  )
}
