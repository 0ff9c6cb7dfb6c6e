import type { NetworkRule } from '../network.js'
import { h } from './dom.js'
import type { Panel, Tab } from '../stage.js'

const kinds = ['as it is', 'slow', 'fail', 'offline'] as const

/** Makes requests slow, failing or offline, by endpoint. */
export function networkTab({ recording }: Panel): Tab {
  const { network } = recording
  const side = h('div', {
    class: 'side whole',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Network',
  })
  let shown = '-'
  function refresh(): void {
    const calls = recording.inspector.calls().filter(({ isFetchable }) => isFetchable)
    const names = [
      '',
      ...new Set([
        ...calls.map(({ endpoint }) => endpoint),
        ...network.rules.map(({ endpoint }) => endpoint),
      ]),
    ].sort()
    const state = JSON.stringify([names, network.rules])
    if (state === shown) return
    shown = state
    side.replaceChildren(
      h(
        'p',
        {},
        'Try loading and error states by hand. A slow request waits for two seconds. Reload the page to end it.',
      ),
      ...[...new Set(names)].map((name) => {
        const now = network.rules.find(({ endpoint }) => endpoint === name)?.kind ?? 'as it is'
        const select = h(
          'select',
          {
            onchange: () =>
              network.set(
                name,
                select.value === 'as it is' ? undefined : (select.value as NetworkRule['kind']),
              ),
          },
          ...kinds.map((kind) => h('option', { value: kind, selected: kind === now }, kind)),
        )
        return h('label', { class: 'rule' }, select, name === '' ? 'All requests' : name)
      }),
    )
  }
  return { element: h('div', {}, side), refresh }
}
