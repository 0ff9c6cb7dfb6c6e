import type { InspectedRecord, InspectedRow, RecordName } from '@selfsame/core/inspect'
import { explainStored } from '../explain.js'
import { span, toText } from '../texts.js'
import { nameOf, pair } from './calls.js'
import { h, rowList } from './dom.js'
import type { Panel, Tab } from '../stage.js'

/** The records by type: searched, shown with all that belongs to them, edited and copied. */
export function recordsTab(panel: Panel, target?: string): Tab {
  const { controller, recording } = panel
  const { inspector } = recording
  let chosen = target === undefined ? undefined : toName(target)
  let type = chosen?.key
  let isEditing = false
  let shown = ''
  const list = rowList('Records')
  const types = h('select', { 'aria-label': 'Type of the records', onchange: choseType })
  const search = h('input', {
    type: 'search',
    placeholder: 'Search records',
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
    type ??= known[0]?.key
    const options = known.map(({ key, count }) => `${key} (${count})`)
    if (options.join() !== [...types.options].map(({ text }) => text).join())
      types.replaceChildren(
        ...known.map(({ key }, index) => h('option', { value: key, selected: key === type }, options[index])),
      )
    const rows = type === undefined ? [] : inspector.records(type, search.value)
    list.show(rows.length, (index) => row(rows[index] as InspectedRow))
    if (isEditing) return
    const record = chosen && inspector.record(chosen.key, chosen.pk)
    const state = chosen && `${chosen.key} ${chosen.pk} ${toText(record?.fields)} ${record?.shownBy.length}`
    if (state !== undefined && state === shown) return
    shown = state ?? ''
    if (chosen === undefined)
      detail.replaceChildren(
        h('p', { class: 'empty' }, rows.length === 0 ? 'No records.' : 'Choose a record.'),
      )
    else showDetail(chosen, record)
  }

  function choose(name: RecordName): void {
    chosen = name
    isEditing = false
    shown = ''
    refresh()
  }

  function row({ pk, fields }: InspectedRow): HTMLElement {
    const key = type ?? ''
    const isChosen = chosen?.key === key && chosen.pk === pk
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'row',
          'aria-pressed': String(isChosen),
          onclick: () => choose({ key, pk }),
        },
        h('span', { class: 'tag' }, pk),
        h('span', { class: 'text dim' }, summaryOf(fields)),
      ),
    )
  }

  function showDetail(name: RecordName, record: InspectedRecord | undefined): void {
    const now = controller.clock.now()
    const why = explainStored(name.key, name.pk, record, recording, now)
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
    detail.replaceChildren(
      h('h2', {}, `${name.key} ${name.pk}`),
      h('div', { class: 'actions' }, edit, copy),
      h('pre', { tabindex: 0 }, text),
      h('h3', {}, 'Why'),
      ...why.text
        .slice(`${name.key} ${name.pk}: `.length)
        .split('\n')
        .map((sentence) => h('p', {}, sentence)),
      h(
        'dl',
        {},
        ...pair(
          'Received',
          record === undefined || record.receivedAt === -Infinity
            ? 'never'
            : `${span(now - record.receivedAt)} ago`,
        ),
      ),
      ...links('Refers to', record?.refersTo ?? [], ({ key, pk }) => [
        `${key} ${pk}`,
        () => choose({ key, pk }),
      ]),
      ...links('Referred to by', record?.referredBy ?? [], ({ key, pk }) => [
        `${key} ${pk}`,
        () => choose({ key, pk }),
      ]),
      ...links('Shown by', record?.shownBy ?? [], (call) => [
        `${nameOf(call)} (${call.retainers})`,
        () => panel.go('Calls', call.key),
      ]),
    )
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
