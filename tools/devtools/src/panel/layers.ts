import { toText } from '../texts.js'
import { h } from './dom.js'
import type { Panel, Tab } from '../stage.js'

/** The optimistic writes, in their order. */
export function layersTab({ recording }: Panel): Tab {
  const side = h('div', {
    class: 'side',
    style: 'overflow:auto;grid-column:1/-1',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Optimistic layers',
  })
  let shown = '-'
  function refresh(): void {
    const layers = recording.inspector.layers()
    const state = toText(layers)
    if (state === shown) return
    shown = state
    if (layers.length === 0) {
      side.replaceChildren(h('p', { class: 'empty' }, 'No optimistic write is pending.'))
      return
    }
    side.replaceChildren(
      ...layers.map(({ id, endpoint, expected, hasFailed, temporaryIds }, index) =>
        h(
          'section',
          { style: 'padding:8px 12px' },
          h('h3', { style: 'margin:0 0 4px' }, `${index + 1}. ${endpoint} (request ${id})`),
          hasFailed && h('p', { class: 'bad' }, 'Its expectation failed: nothing of it is shown.'),
          temporaryIds.length > 0 &&
            h('p', {}, `Temporary ids: ${temporaryIds.join(', ')}. What names them waits for its answer.`),
          h('pre', { tabindex: 0 }, expected === undefined ? 'Nothing is expected.' : toText(expected)),
        ),
      ),
    )
  }
  return { element: h('div', {}, side), refresh }
}
