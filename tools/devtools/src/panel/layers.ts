import { outboxOf } from '@selfsame/core/bindings'
import { outboxSentences } from '../sentences.js'
import type { WaitingMutation } from '../sentences.js'
import { argsText, toText } from '../texts.js'
import { h } from './dom.js'
import type { Panel, Tab } from '../stage.js'

/** The optimistic writes, in their order, and the mutations of the outbox. */
export function layersTab({ controller, recording }: Panel): Tab {
  const side = h('div', {
    class: 'side whole',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Optimistic layers',
  })
  let shown = '-'
  function refresh(): void {
    const layers = recording.inspector.layers()
    const { mutations } = outboxOf(controller)
    const state = toText([layers, mutations])
    if (state === shown) return
    shown = state
    side.replaceChildren(
      ...(layers.length === 0 ? [h('p', { class: 'empty' }, 'No optimistic write is pending.')] : []),
      ...layers.map(layer),
      ...(mutations.length === 0 ? [] : [h('h2', { style: heading }, 'Outbox')]),
      ...mutations.map(mutation),
    )
  }

  function mutation(waiting: WaitingMutation, index: number) {
    const { id, endpoint, args, status, error } = waiting
    const outbox = outboxOf(controller)
    const [state, ...others] = outboxSentences(waiting, recording.network.stoppedAttempts(endpoint, args))
    return h(
      'section',
      { style: section },
      h('h3', { style: heading }, `${index + 1}. ${endpoint} ${argsText(args)}`),
      h('p', { class: status === 'failed' ? 'bad' : '' }, state),
      h('p', { class: 'dim' }, others.join(' ')),
      error !== undefined && h('pre', { tabindex: 0 }, error.message),
      status === 'failed' &&
        h('button', { type: 'button', onclick: () => void outbox.retry(id).catch(() => {}) }, 'Send again'),
      status !== 'sending' &&
        h('button', { type: 'button', onclick: () => void outbox.drop(id).catch(() => {}) }, 'Take back'),
    )
  }

  return { element: h('div', {}, side), refresh }
}

type Layer = ReturnType<Panel['recording']['inspector']['layers']>[number]

const section = 'padding:8px 12px'
const heading = 'margin:0 0 4px'

function layer({ id, endpoint, expected, hasFailed, temporaryIds }: Layer, index: number): HTMLElement {
  return h(
    'section',
    { style: section },
    h('h3', { style: heading }, `${index + 1}. ${endpoint} (request ${id})`),
    hasFailed && h('p', { class: 'bad' }, 'Its optimistic response threw: nothing of it is shown.'),
    temporaryIds.length > 0 &&
      h('p', {}, `Temporary ids: ${temporaryIds.join(', ')}. Requests with them wait for its response.`),
    h('pre', { tabindex: 0 }, expected === undefined ? 'It shows nothing early.' : toText(expected)),
  )
}
