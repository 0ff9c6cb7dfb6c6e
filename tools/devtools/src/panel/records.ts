import type { InspectedRecord, InspectedRow, RecordName } from '@selfsame/core/inspect'
import { explainStored } from '../explain.js'
import type { Fact } from '../recording.js'
import { span, toText } from '../texts.js'
import { isTooSoon, keepFocus, nameOf } from './calls.js'
import { folded, h, link, pair, rowList, sentencesOf } from './dom.js'
import type { Row } from './dom.js'
import type { Panel, Tab } from '../stage.js'

/** A record in the list, which may be of any type. */
interface ListedRecord extends InspectedRow {
  readonly key: string
}

/** The most rows of a search among all types. */
const mostRows = 5000

/** The value of the option for all types. */
const anyType = ''

/** The records by type: searched, shown with all that belongs to them and what wrote each field, edited and copied. */
export function recordsTab(panel: Panel, target?: string): Tab {
  const { controller, recording } = panel
  const { inspector } = recording
  let chosen = target === undefined ? undefined : toName(target)
  let isRevealed = target === undefined
  let type = chosen?.key
  let isEditing = false
  let shown = ''
  let shownAt = 0
  let rows: readonly ListedRecord[] = []
  const list = rowList('Records')
  const types = h('select', { 'aria-label': 'Type of the records', onchange: choseType })
  const search = h('input', {
    type: 'search',
    placeholder: 'Search ids and values',
    'aria-label': 'Search records',
    oninput: refresh,
  })
  const detail = h('div', { class: 'detail', tabindex: 0, role: 'region', 'aria-label': 'The chosen record' })

  function choseType(): void {
    type = types.value
    chosen = undefined
    shown = ''
    refresh()
  }

  function refresh(): void {
    const known = inspector.types()
    showTypes(known)
    rows = rowsOf(known)
    // A click on the list ends an edit, and nothing else.
    if (chosen === undefined && rows[0] !== undefined) chosen = { key: rows[0].key, pk: rows[0].pk }
    list.show(
      rows.length,
      (index) => row(rows[index] as ListedRecord),
      (index) => choose(rows[index] as ListedRecord),
    )
    const place = rows.findIndex(({ key, pk }) => key === chosen?.key && pk === chosen.pk)
    if (!isRevealed && place !== -1) list.reveal(place)
    isRevealed = true
    if (isEditing) return
    const second = Math.floor(controller.clock.now() / 1000)
    const state = chosen && `${chosen.key} ${chosen.pk} ${recording.ownEntries.at(-1)?.id} ${second}`
    // What refers to a record is found among all of them, so it is not looked for while nothing changes.
    if (state !== undefined && (state === shown || isTooSoon(shown, shownAt))) return
    shown = state ?? ''
    shownAt = performance.now()
    if (chosen === undefined) detail.replaceChildren(h('p', { class: 'empty' }, 'No records.'))
    else showDetail(chosen, inspector.record(chosen.key, chosen.pk))
  }

  function showTypes(known: readonly { readonly key: string; readonly count: number }[]): void {
    type ??= known[0]?.key
    const options = known.map(({ key, count }) => ({ value: key, text: `${key} (${count})` }))
    const total = known.reduce((sum, { count }) => sum + count, 0)
    if (known.length > 1) options.push({ value: anyType, text: `All types (${total})` })
    if (options.map(({ text }) => text).join() === [...types.options].map(({ text }) => text).join()) return
    types.replaceChildren(
      ...options.map(({ value, text }) => h('option', { value, selected: value === type }, text)),
    )
  }

  function rowsOf(known: readonly { readonly key: string }[]): readonly ListedRecord[] {
    const keys = type === anyType ? known.map(({ key }) => key) : [type ?? anyType]
    const most = type === anyType ? mostRows : Infinity
    const found: ListedRecord[] = []
    for (const key of keys)
      for (const each of inspector.records(key, search.value, most - found.length))
        found.push({ ...each, key })
    return found
  }

  function choose({ key, pk }: RecordName): void {
    chosen = { key, pk }
    isEditing = false
    shown = ''
    refresh()
  }

  function open({ key, pk }: RecordName): void {
    if (type !== anyType) type = key
    search.value = ''
    types.value = type ?? key
    isRevealed = false
    choose({ key, pk })
  }

  function row({ key, pk, fields }: ListedRecord): Row {
    return {
      isChosen: chosen?.key === key && chosen.pk === pk,
      children: [
        h('span', { class: 'tag pk' }, type === anyType ? `${key} ${pk}` : pk),
        h('span', { class: 'text dim' }, summaryOf(fields)),
      ],
    }
  }

  function showDetail(name: RecordName, record: InspectedRecord | undefined): void {
    const now = controller.clock.now()
    const { text: why } = explainStored(name.key, name.pk, record, recording, now)
    const text = toText(record?.fields ?? null)
    const copy = h(
      'button',
      { type: 'button', onclick: () => void navigator.clipboard?.writeText(text) },
      'Copy as JSON',
    )
    const edit = h(
      'button',
      { type: 'button', disabled: record?.isEditable !== true, onclick: () => showEditor(name, text) },
      'Edit',
    )
    keepFocus(detail, () =>
      detail.replaceChildren(
        h('h2', {}, `${name.key} ${name.pk}`),
        h('div', { class: 'actions' }, edit, copy),
        ...fieldsOf(name, record),
        h('h3', {}, 'Why'),
        sentencesOf(why.slice(`${name.key} ${name.pk}: `.length)),
        ...links('Refers to', record?.refersTo ?? [], ({ key, pk }) => [
          `${key} ${pk}`,
          () => open({ key, pk }),
        ]),
        ...links('Referred to by', record?.referredBy ?? [], ({ key, pk }) => [
          `${key} ${pk}`,
          () => open({ key, pk }),
        ]),
        ...links('Shown by', record?.shownBy ?? [], (call) => [
          nameOf(call),
          () => panel.go('Calls', call.key),
        ]),
        h('h3', {}, 'Received'),
        h(
          'p',
          {},
          record === undefined || record.receivedAt === -Infinity
            ? 'Never.'
            : `${span(now - record.receivedAt)} ago.`,
        ),
        folded('As JSON', h('pre', { tabindex: 0, 'aria-label': 'Fields as JSON' }, text)),
      ),
    )
  }

  /** Each field with its value, and the action that wrote it. */
  function fieldsOf({ key, pk }: RecordName, record: InspectedRecord | undefined): HTMLElement[] {
    if (record?.fields === undefined) return []
    const request = recording.requestOf(record.request)
    return [
      h(
        'dl',
        { class: 'fields' },
        ...Object.entries(record.fields).flatMap(([name, value]) =>
          pair(
            name,
            h('code', {}, toText(value, 300)),
            writerLink(recording.writerOf(key, pk, name) ?? request),
          ),
        ),
        ...record.defaults.flatMap((name) => pair(name, h('span', { class: 'dim' }, 'default of the class'))),
      ),
    ]
  }

  function writerLink(writer: Fact | undefined): HTMLElement | undefined {
    if (writer === undefined) return undefined
    const isKept = recording.ownEntries.some(({ id }) => id === writer.id)
    const text = `from ${writer.title}`
    return isKept
      ? link(text, () => panel.go('Timeline', String(writer.id)))
      : h('span', { class: 'dim' }, text)
  }

  function showEditor(name: RecordName, text: string): void {
    isEditing = true
    const area = h('textarea', { 'aria-label': `Fields of ${name.key} ${name.pk}` })
    area.value = text
    const problem = h('p', { class: 'bad', role: 'alert' })
    const end = () => {
      isEditing = false
      shown = ''
      refresh()
    }
    const save = () => {
      try {
        const before = JSON.parse(text) as Record<string, unknown>
        const after = JSON.parse(area.value) as Record<string, unknown>
        const changed = Object.entries(after).filter(
          ([field, value]) => toText(value) !== toText(before[field]),
        )
        inspector.edit(name.key, name.pk, Object.fromEntries(changed))
        end()
      } catch (error) {
        problem.textContent = error instanceof Error ? error.message : String(error)
      }
    }
    detail.replaceChildren(
      h('h2', {}, `${name.key} ${name.pk}`),
      area,
      problem,
      h(
        'div',
        { class: 'actions' },
        h('button', { type: 'button', onclick: save }, 'Save'),
        h('button', { type: 'button', onclick: end }, 'Cancel'),
      ),
    )
    area.focus()
  }

  return {
    element: h(
      'div',
      {},
      h('div', { class: 'side' }, h('div', { class: 'bar' }, types, search), list.element),
      detail,
    ),
    refresh,
  }
}

/** The most links that are shown of one kind. */
const mostLinks = 50

function links<Item>(
  title: string,
  items: readonly Item[],
  toLink: (item: Item) => [text: string, open: () => void],
): HTMLElement[] {
  if (items.length === 0) return []
  const more = items.length - mostLinks
  return [
    h('h3', {}, `${title} (${items.length})`),
    h(
      'div',
      { class: 'actions' },
      ...items.slice(0, mostLinks).map((item) => {
        const [text, open] = toLink(item)
        return h('button', { type: 'button', onclick: open }, text)
      }),
      more > 0 && h('span', { class: 'dim' }, `and ${more} more`),
    ),
  ]
}

function toName(target: string): RecordName {
  const [key = '', ...pk] = target.split(' ')
  return { key, pk: pk.join(' ') }
}

/** The fields of a row in one line. */
function summaryOf(fields: InspectedRow['fields']): string {
  return Object.entries(fields ?? {})
    .filter(([name, value]) => name !== 'id' && (typeof value !== 'object' || value === null))
    .slice(0, 5)
    .map(([name, value]) => `${name}: ${String(value).slice(0, 60)}`)
    .join(', ')
}
