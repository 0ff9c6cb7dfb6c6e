import type { InspectedCall } from '@selfsame/core/inspect'
import { explainCall } from '../explain.js'
import { countedNames } from '../sentences.js'
import { argsText, span, toText } from '../texts.js'
import { h, rowList } from './dom.js'
import type { Panel, Tab } from '../stage.js'

/** Every call: status, age, readers, error, and what can be done to it. */
export function callsTab(panel: Panel, target?: string): Tab {
  const { controller, recording } = panel
  const { inspector } = recording
  let chosen: number | undefined = target === undefined ? undefined : inspector.callsOf(target)[0]?.id
  const list = rowList('Calls')
  const search = h('input', {
    type: 'search',
    placeholder: 'Filter calls',
    'aria-label': 'Filter calls',
    oninput: refresh,
  })
  const detail = h('div', { class: 'detail', tabindex: 0, role: 'region', 'aria-label': 'The chosen call' })
  let shown = ''

  function refresh(): void {
    const text = search.value.toLowerCase()
    const calls = inspector
      .calls()
      .filter((call) => `${call.endpoint} ${argsText(call.args)} ${call.key}`.toLowerCase().includes(text))
    list.show(calls.length, (index) => row(calls[index] as InspectedCall))
    const call = chosen === undefined ? undefined : inspector.call(chosen)
    const state =
      call &&
      `${toText({ ...call, expiresAt: String(call.expiresAt) }, 2000)}${Math.floor(controller.clock.now() / 1000)}`
    // Not while nothing changes, so that a selection of text stays.
    if (state !== undefined && state === shown) return
    shown = state ?? ''
    if (call !== undefined) showDetail(call)
    else
      detail.replaceChildren(
        h('p', { class: 'empty' }, calls.length === 0 ? 'No calls yet.' : 'Choose a call.'),
      )
  }

  function row(call: InspectedCall): HTMLElement {
    const choose = () => {
      chosen = call.id
      shown = ''
      refresh()
    }
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'row', 'aria-pressed': String(call.id === chosen), onclick: choose },
        h('span', { class: `tag ${call.status}` }, call.fetching ? 'fetching' : call.status),
        life(call, controller.clock.now()),
        h('span', { class: 'text' }, nameOf(call)),
        call.error !== undefined && h('span', { class: 'bad' }, 'error'),
        h('span', { class: 'dim' }, `${call.retainers} ${call.retainers === 1 ? 'reader' : 'readers'}`),
      ),
    )
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
    const why = explainCall({ name: nameOf(call), key: call.key, call, inspector, recording, now })
    const { id } = call
    detail.replaceChildren(
      h('h2', {}, nameOf(call)),
      h(
        'div',
        { class: 'actions' },
        act('Refetch', () => void inspector.refetch(id).catch(() => {}), !call.isFetchable),
        act('Invalidate', () => inspector.invalidate(id)),
        act('Expire', () => inspector.expire(id)),
        act('Remove', () => inspector.remove(id)),
        act('Fail it', () =>
          inspector.fail(id, new Error(`${call.endpoint} failed: the panel made it fail.`)),
        ),
        act(
          recording.network.of(call.endpoint) === 'slow' ? 'Not slow' : 'Slow it',
          () =>
            recording.network.set(
              call.endpoint,
              recording.network.of(call.endpoint) === 'slow' ? undefined : 'slow',
            ),
          !call.isFetchable,
        ),
      ),
      h('h3', {}, 'Why'),
      // The first line has the name and the state, which stand above.
      ...why.text
        .split('\n')
        .slice(1)
        .map((sentence) => h('p', {}, sentence)),
      h('h3', {}, 'State'),
      h(
        'dl',
        {},
        ...pair('Status', call.status),
        ...pair('Received', call.receivedAt === undefined ? 'no data' : `${span(now - call.receivedAt)} ago`),
        ...pair('Expires', expiryText(call, now)),
        ...pair(
          'Readers',
          why.readers.length > 0 ? countedNames(why.readers) : `${call.retainers} retain it`,
        ),
        ...pair('Key', call.key),
        ...(call.error === undefined ? [] : pair('Error', `${call.error.name}: ${call.error.message}`)),
      ),
      h('h3', {}, 'Data'),
      h('pre', { tabindex: 0 }, toText(call.data)),
    )
  }

  return {
    element: h(
      'div',
      {},
      h('div', { class: 'side' }, h('div', { class: 'bar' }, search), list.element),
      detail,
    ),
    refresh,
  }
}

export const nameOf = (call: InspectedCall): string => `${call.endpoint} ${argsText(call.args)}`.trim()

/** A description and its term. */
export const pair = (term: string, value: string): HTMLElement[] => [h('dt', {}, term), h('dd', {}, value)]

function expiryText({ expiresAt }: InspectedCall, now: number): string {
  if (expiresAt === undefined) return 'no data'
  if (expiresAt === -Infinity) return 'made Stale'
  if (expiresAt === Infinity) return 'never'
  return expiresAt > now ? `in ${span(expiresAt - now)}` : `${span(now - expiresAt)} ago`
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
