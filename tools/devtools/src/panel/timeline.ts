import { differencesOf } from '../differences.js'
import type { ChangeText, Entry } from '../recording.js'
import { span, timeOf, toText } from '../texts.js'
import { folded, h, link, pair, rowList } from './dom.js'
import type { Row } from './dom.js'
import type { Panel, Tab } from '../stage.js'

/** Kinds of entries that a filter shows. */
const kinds: Readonly<Record<string, readonly Entry['kind'][]>> = {
  Requests: ['fetch', 'response', 'error'],
  Errors: ['error', 'setError'],
  Writes: ['response', 'set', 'setResponse', 'hydrate', 'resetAll'],
  'Made Stale or Invalid': ['invalidate', 'invalidateAll', 'expireAll'],
  'Garbage and replays': ['garbage', 'replay', 'change'],
}

/** Spans of time that a filter shows, in milliseconds. */
const spans: Readonly<Record<string, number>> = {
  'last 10 s': 10_000,
  'last minute': 60_000,
  'last 5 min': 300_000,
}

const any = 'any'

/** Every action with its cause and its effect. */
export function timelineTab(panel: Panel, target?: string): Tab {
  const { recording } = panel
  let chosen = target === undefined ? undefined : Number(target)
  /** The id of the entry in the details, or the text in place of one. */
  let shown: number | string | undefined
  /** Why a file could not be imported; it stays until something is chosen or another file. */
  let problem: string | undefined
  let isFirst = true
  let isForced = true
  let rows: readonly Entry[] = []
  const list = rowList('Timeline')
  const again = () => {
    isForced = true
    refresh()
  }
  const search = h('input', {
    type: 'search',
    placeholder: 'Search titles, causes and values',
    'aria-label': 'Filter the timeline',
    oninput: again,
  })
  const select = (label: string, names: readonly string[]) => {
    const options = [any, ...names].map((name) => h('option', { value: name }, name === any ? label : name))
    return h('select', { 'aria-label': label, onchange: again }, ...options)
  }
  const kind = select('Any action', Object.keys(kinds))
  const subject = select('Any endpoint or type', [])
  const since = select('Any time', Object.keys(spans))
  const detail = h('div', { class: 'detail', tabindex: 0, role: 'region', 'aria-label': 'The chosen entry' })
  const banner = h('div', { class: 'banner', role: 'status' })
  const newer = h('button', { type: 'button', class: 'newer', hidden: true, onclick: showNewer })
  const pause = h(
    'button',
    { type: 'button', onclick: () => ((recording.isPaused = !recording.isPaused), refresh()) },
    'Pause',
  )
  const file = h('input', {
    type: 'file',
    accept: 'application/json',
    hidden: true,
    'aria-label': 'A recording',
    onchange: load,
  })

  function refresh(): void {
    pause.textContent = recording.isPaused ? 'Record' : 'Pause'
    showBanner()
    showSubjects()
    const entries = recording.entries.filter(isWanted)
    // Rows must not run away from the pointer.
    const isHeld = !isForced && list.isPointedAt && rows.length > 0
    const waiting = entries.filter(({ id }) => id > (rows.at(-1)?.id ?? 0)).length
    newer.hidden = !isHeld || waiting === 0
    newer.textContent = `${waiting} new`
    if (!isHeld) {
      const wasAtEnd = isFirst || list.isAtEnd
      rows = entries
      draw()
      if (chosen === undefined) chosen = rows.at(-1)?.id
      const place = rows.findIndex(({ id }) => id === chosen)
      if (isFirst && target !== undefined && place !== -1) list.reveal(place)
      else if (wasAtEnd) list.toEnd()
      isFirst = false
    }
    isForced = false
    const entry = recording.entries.find(({ id }) => id === chosen)
    const next = problem ?? entry?.id ?? ''
    if (next === shown) return
    shown = next
    if (problem !== undefined) detail.replaceChildren(h('p', { class: 'bad', role: 'alert' }, problem))
    else if (entry !== undefined) showDetail(entry)
    else
      detail.replaceChildren(
        h('p', { class: 'empty' }, rows.length === 0 ? 'No entries.' : 'Choose an entry.'),
      )
  }

  function draw(): void {
    list.show(
      rows.length,
      (index) => row(rows[index] as Entry),
      (index) => choose((rows[index] as Entry).id),
    )
  }

  function choose(id: number): void {
    chosen = id
    problem = undefined
    refresh()
    draw()
  }

  function showNewer(): void {
    again()
    list.toEnd()
  }

  function isWanted(entry: Entry): boolean {
    const { title, why = '', effect = '', at, payload, changes } = entry
    if (kind.value !== any && kinds[kind.value]?.includes(entry.kind) !== true) return false
    const last = recording.isFile ? (recording.entries.at(-1)?.at ?? 0) : recording.now
    if (since.value !== any && last - at > (spans[since.value] ?? 0)) return false
    if (subject.value !== any && !namesOfEntry(entry).includes(subject.value)) return false
    const text = search.value.toLowerCase()
    if (text === '') return true
    const parts = [
      title,
      why,
      effect,
      payload,
      ...changes.flatMap(({ what, before, after }) => [what, before, after]),
    ]
    return parts.some((part) => part?.toLowerCase().includes(text) === true)
  }

  /** The endpoints and types that the entries name. */
  function showSubjects(): void {
    const names = [...new Set(recording.entries.flatMap(namesOfEntry))].sort()
    const state = names.join('\n')
    if (subject.dataset['state'] === state) return
    subject.dataset['state'] = state
    const { value } = subject
    subject.replaceChildren(
      h('option', { value: any }, 'Any endpoint or type'),
      ...names.map((name) => h('option', { value: name, selected: name === value }, name)),
    )
  }

  function showBanner(): void {
    const { network } = recording
    const state = `${recording.isFile} ${network.replayLeft}`
    if (banner.dataset['state'] === state) return
    banner.dataset['state'] = state
    banner.hidden = !recording.isFile && network.replayLeft === undefined
    if (recording.isFile)
      banner.replaceChildren(
        h('span', {}, `A file with ${recording.entries.length} entries.`),
        h('button', { type: 'button', onclick: replayFile }, 'Replay it in this page'),
        h('button', { type: 'button', onclick: closeFile }, 'Close file'),
      )
    else
      banner.replaceChildren(
        h('span', {}, `A file answers the requests of this page: ${network.replayLeft} left.`),
        h(
          'button',
          { type: 'button', onclick: () => (network.endReplay(), again()) },
          'Use the network again',
        ),
      )
  }

  function closeFile(): void {
    chosen = problem = undefined
    recording.closeFile()
    again()
  }

  /** Answers the requests of the page from the file, and lets its readers fetch again. */
  function replayFile(): void {
    try {
      recording.network.replay(recording.entries)
      closeFile()
      panel.controller.resetAll()
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
    again()
  }

  function row(entry: Entry): Row {
    return {
      isChosen: entry.id === chosen,
      children: [
        h('span', { class: 'dim time' }, timeOf(entry.at)),
        h(
          'span',
          { class: `text ${entry.kind === 'error' ? 'bad' : ''}` },
          entry.title,
          h(
            'span',
            { class: 'dim' },
            [entry.why, entry.effect]
              .filter(Boolean)
              .map((part) => ` → ${part}`)
              .join(''),
          ),
        ),
      ],
    }
  }

  function showDetail(entry: Entry): void {
    const { key } = entry
    const around =
      entry.request === undefined
        ? []
        : recording.entries.filter(({ request, id }) => request === entry.request && id !== entry.id)
    const records = entry.changes.map(({ what }) => what).filter((what) => isStored(what))
    detail.replaceChildren(
      h('h2', {}, entry.title),
      h(
        'dl',
        {},
        ...pair('At', timeOf(entry.at)),
        ...(entry.why === undefined ? [] : pair('Why', entry.why)),
        ...(entry.effect === undefined ? [] : pair('Effect', entry.effect)),
        ...around.flatMap((other) =>
          pair(
            other.kind === 'fetch' ? 'Request' : 'Outcome',
            link(other.title, () => choose(other.id)),
            ` ${span(Math.abs(other.at - entry.at))} ${other.at < entry.at ? 'earlier' : 'later'}`,
          ),
        ),
      ),
      h(
        'div',
        { class: 'actions' },
        key !== undefined &&
          entry.kindOfRequest !== 'mutation' &&
          h('button', { type: 'button', onclick: () => panel.go('Calls', key) }, 'Show the call'),
        ...records
          .slice(0, 5)
          .map((what) =>
            h('button', { type: 'button', onclick: () => panel.go('Records', what) }, `Show ${what}`),
          ),
      ),
      ...entry.changes.flatMap(changeOf),
      ...(entry.payload === undefined
        ? []
        : [
            h('h3', {}, entry.kind === 'error' ? 'Body of the error' : 'Response'),
            h('pre', { tabindex: 0, 'aria-label': 'Response' }, entry.payload),
          ]),
    )
  }

  function isStored(what: string): boolean {
    const [key = '', ...pk] = what.split(' ')
    return recording.inspector.record(key, pk.join(' '))?.fields !== undefined
  }

  function save(): void {
    const blob = new Blob([toText(recording.export(), Infinity)], { type: 'application/json' })
    const url = URL.createObjectURL(blob)
    h('a', { href: url, download: 'selfsame-recording.json' }).click()
    setTimeout(() => URL.revokeObjectURL(url), 1000)
  }

  async function load(): Promise<void> {
    const [chosenFile] = file.files ?? []
    if (chosenFile === undefined) return
    chosen = problem = undefined
    try {
      recording.import(JSON.parse(await chosenFile.text()))
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
    isFirst = true
    again()
  }

  const bar = h(
    'div',
    { class: 'bar' },
    search,
    pause,
    h(
      'button',
      { type: 'button', onclick: () => (recording.clear(), (chosen = undefined), again()) },
      'Clear',
    ),
    h('button', { type: 'button', onclick: save }, 'Export'),
    h('button', { type: 'button', onclick: () => file.click() }, 'Import'),
    file,
  )
  const filters = h('div', { class: 'bar filters' }, kind, subject, since)
  return {
    element: h('div', {}, h('div', { class: 'side' }, bar, filters, banner, list.element, newer), detail),
    refresh,
  }
}

/** The endpoint and the types that an entry names. */
function namesOfEntry({ kind, title, changes }: Entry): string[] {
  const [, name] = title.split(' ')
  const isNamed = name !== undefined && !['garbage', 'replay', 'change', 'set'].includes(kind)
  const types = changes.flatMap(({ what }) =>
    /^[\w$]+ /.test(what) ? [what.slice(0, what.indexOf(' '))] : [],
  )
  return [...new Set([...(isNamed ? [name] : []), ...types])]
}

/** One line for each field that differs; the others are folded. */
function changeOf({ what, before, after }: ChangeText): HTMLElement[] {
  const heading = h('h3', {}, what)
  const found = differencesOf(before, after)
  if (found === undefined)
    return [
      heading,
      h(
        'div',
        { class: 'sides' },
        h(
          'div',
          {},
          h('h4', {}, 'Before'),
          h('pre', { tabindex: 0, 'aria-label': `${what} before` }, before ?? 'not there'),
        ),
        h(
          'div',
          {},
          h('h4', {}, 'After'),
          h('pre', { tabindex: 0, 'aria-label': `${what} after` }, after ?? 'not there'),
        ),
      ),
    ]
  const { changed, same } = found
  return [
    heading,
    changed.length === 0
      ? h('p', { class: 'dim' }, 'No field differs.')
      : h(
          'table',
          { class: 'changes' },
          h(
            'thead',
            {},
            h('tr', {}, ...['Field', 'Before', 'After'].map((name) => h('th', { scope: 'col' }, name))),
          ),
          h('tbody', {}, ...changed.map(changedRow)),
        ),
    ...(same.length === 0
      ? []
      : [
          folded(
            `${same.length} unchanged`,
            h('pre', { tabindex: 0, 'aria-label': `Unchanged fields of ${what}` }, same.join('\n')),
          ),
        ]),
  ]
}

function changedRow({
  path,
  before,
  after,
}: NonNullable<ReturnType<typeof differencesOf>>['changed'][number]) {
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, path),
    h('td', {}, before === undefined ? h('span', { class: 'dim' }, 'not there') : h('del', {}, before)),
    h(
      'td',
      {},
      h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→ '),
      after === undefined ? h('span', { class: 'dim' }, 'not there') : h('ins', {}, after),
    ),
  )
}
