import { articleResource, controller, requestLog, restPrefix } from '../api.js'
import { elementById } from './element-by-id.js'

/** The settings of the server's knob. */
interface Knob {
  readonly isSlow: boolean
  readonly failsNext: boolean
}

// Two patterns for the same requests, because the server keeps one setting for each pattern.
const slowed = { route: '/*', delayMs: 1500 }
const failing = { route: '/:kind/*', status: 503, times: 1 }

/** The server's knob, as the switches show it. */
export interface Controls {
  turn(change: Partial<Knob>): Promise<void>
}

/** Makes the buttons and switches at the top of the page work. */
export function startControls(): Controls {
  const slow = elementById('slow') as HTMLInputElement
  const failNext = elementById('fail-next') as HTMLInputElement
  let knob: Knob = { isSlow: false, failsNext: false }

  const show = (next: Knob) => {
    knob = next
    slow.checked = knob.isSlow
    failNext.checked = knob.failsNext
  }
  const turn = (change: Partial<Knob>) => {
    show({ ...knob, ...change })
    return writeKnob(knob)
  }

  slow.addEventListener('change', () => turn({ isSlow: slow.checked }))
  failNext.addEventListener('change', () => turn({ failsNext: failNext.checked }))
  elementById('reload').addEventListener('click', () => controller.invalidate(articleResource.getList))
  elementById('reset').addEventListener('click', async () => {
    await send('POST', '/_reset')
    show({ isSlow: false, failsNext: false })
    controller.resetAll()
  })
  // The first request uses up the ordered failure.
  requestLog.subscribe(() => {
    if (knob.failsNext && requestLog.newest?.outcome === failing.status) show({ ...knob, failsNext: false })
  })
  // The server keeps its settings when the page is loaded again.
  void readKnob().then(show)
  return { turn }
}

async function readKnob(): Promise<Knob> {
  const response = await send('GET', '/_knob')
  const settings = (await response.json()) as readonly { readonly route: string }[]
  const isSet = (route: string) => settings.some((setting) => setting.route === route)
  return { isSlow: isSet(slowed.route), failsNext: isSet(failing.route) }
}

async function writeKnob({ isSlow, failsNext }: Knob): Promise<void> {
  await send('DELETE', '/_knob')
  // The newest setting wins, so the failure is sent last.
  if (isSlow) await send('POST', '/_knob', slowed)
  if (failsNext) await send('POST', '/_knob', isSlow ? { ...failing, delayMs: slowed.delayMs } : failing)
}

function send(method: string, path: string, body?: object): Promise<Response> {
  return fetch(restPrefix + path, body === undefined ? { method } : { method, body: JSON.stringify(body) })
}
