import type { Entry } from '../recording.js'
import { toText } from '../texts.js'
import { pair } from './calls.js'
import { h, rowList } from './dom.js'
import type { Panel, Tab } from '../stage.js'

/** Every action with its cause and its effect. */
export function timelineTab(panel: Panel): Tab {
  const { recording } = panel
  let chosen: number | undefined
  /** The id of the entry in the details, or the text in place of one. */
  let shown: number | string | undefined
  /** Why a file could not be imported; it stays until something is chosen or another file. */
  let problem: string | undefined
  let isFirst = true
  const list = rowList('Timeline')
  const search = h('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter the timeline',
    oninput: refresh,
  })
  const detail = h('div', { class: 'detail', tabindex: 0, role: 'region', 'aria-label': 'The chosen entry' })
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
    const text = search.value.toLowerCase()
    const entries = recording.entries.filter(({ title, why = '', effect = '' }) =>
      `${title} ${why} ${effect}`.toLowerCase().includes(text),
    )
    const wasAtEnd = isFirst || list.isAtEnd
    isFirst = false
    list.show(entries.length, (index) => row(entries[index] as Entry))
    if (wasAtEnd) list.toEnd()
    const entry = recording.entries.find(({ id }) => id === chosen)
    const next = entry?.id ?? problem ?? ''
    if (next === shown) return
    shown = next
    if (entry !== undefined) showDetail(entry)
    else
      detail.replaceChildren(
        problem === undefined
          ? h('p', { class: 'empty' }, 'Choose an entry to see what it changed.')
          : h('p', { class: 'bad', role: 'alert' }, problem),
      )
  }

  function row(entry: Entry): HTMLElement {
    const choose = () => {
      chosen = entry.id
      problem = undefined
      refresh()
    }
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'row', 'aria-pressed': String(entry.id === chosen), onclick: choose },
        h('span', { class: 'dim' }, timeOf(entry.at)),
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
      ),
    )
  }

  function showDetail(entry: Entry): void {
    const { key } = entry
    const around =
      entry.request === undefined ? [] : recording.entries.filter(({ request }) => request === entry.request)
    detail.replaceChildren(
      h('h2', {}, entry.title),
      h(
        'dl',
        {},
        ...(entry.why === undefined ? [] : pair('Why', entry.why)),
        ...(entry.effect === undefined ? [] : pair('Effect', entry.effect)),
        ...around
          .filter(({ id }) => id !== entry.id)
          .flatMap((other) => pair(other.kind, `${other.title}, ${signed(other.at - entry.at)} ms`)),
      ),
      h(
        'div',
        { class: 'actions' },
        key !== undefined &&
          entry.kindOfRequest !== 'mutation' &&
          h('button', { type: 'button', onclick: () => panel.go('Calls', key) }, 'Show the call'),
      ),
      ...entry.changes.flatMap(({ what, before, after }) => [
        h('h3', {}, what),
        h(
          'div',
          { class: 'sides' },
          h('pre', { tabindex: 0, 'aria-label': `${what} before` }, before ?? 'not there'),
          h('pre', { tabindex: 0, 'aria-label': `${what} after` }, after ?? 'not there'),
        ),
      ]),
      ...(entry.payload === undefined
        ? []
        : [h('h3', {}, 'Response'), h('pre', { tabindex: 0 }, entry.payload)]),
    )
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
    refresh()
  }

  const bar = h(
    'div',
    { class: 'bar' },
    search,
    pause,
    h(
      'button',
      { type: 'button', onclick: () => (recording.clear(), (chosen = undefined), refresh()) },
      'Clear',
    ),
    h('button', { type: 'button', onclick: save }, 'Export'),
    h('button', { type: 'button', onclick: () => file.click() }, 'Import'),
    file,
  )
  return { element: h('div', {}, h('div', { class: 'side' }, bar, list.element), detail), refresh }
}

/** `14:03:05.120`, in the time of the machine. */
function timeOf(at: number): string {
  const time = new Date(at)
  return `${time.toTimeString().slice(0, 8)}.${String(time.getMilliseconds()).padStart(3, '0')}`
}

const signed = (ms: number) => (ms > 0 ? `+${ms}` : String(ms))
