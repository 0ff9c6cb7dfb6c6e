import type { Controller } from '@selfsame/core'
import type { Recording, RecordingOptions } from './recording.js'
import { begin, endOf, follow } from './recordings.js'
import { read, write } from './stage.js'

export interface DevtoolsOptions extends RecordingOptions {
  /** Where the button and the panel are put. @default `document.body` */
  readonly target?: HTMLElement | undefined
  /** `true` opens the panel at once. @default as it was left on this page */
  readonly isOpen?: boolean | undefined
  /** The name in the title and of the Redux DevTools instance. @default 'Selfsame' */
  readonly name?: string | undefined
  /** `false` shows no button: then only `explain` and the Redux DevTools see the recording. @default true */
  readonly hasButton?: boolean | undefined
}

/**
 * Starts to record a Controller, and puts a button on the page that opens the panel. The panel's code is loaded when it is
 * opened. Until then there is no timer, no frame callback and no observer of the page.
 *
 * Where there is no document, on a server, it does nothing.
 *
 * @returns a function that ends the recording, and removes the button and the panel
 * @example
 * const controller = new Controller()
 * if (import.meta.env.DEV) void import('@selfsame/devtools').then(({ devtools }) => devtools(controller))
 */
export function devtools(controller: Controller, options: DevtoolsOptions = {}): () => void {
  if (typeof document === 'undefined') return () => {}
  const { target = document.body, name = 'Selfsame', hasButton = true } = options
  const recording = begin(controller, options)
  const endRedux = sendToRedux(recording, name)
  const host = document.createElement('selfsame-devtools')
  const root = host.attachShadow({ mode: 'open' })
  let endPanel: (() => void) | undefined
  let isEnded = false

  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = name
  button.title = `Open the ${name} panel (Alt+Shift+S)`
  button.setAttribute('aria-expanded', 'false')
  // A strict Content-Security-Policy refuses the attribute.
  button.style.cssText =
    'position:fixed;inset:var(--selfsame-button-inset, auto 12px 12px auto);z-index:2147483646;padding:6px 12px;border-radius:999px;border:1px solid #0003;background:#4a3fe0;color:#fff;font:600 12px/1.4 system-ui,sans-serif;cursor:pointer'

  const close = () => {
    endPanel?.()
    endPanel = undefined
    button.hidden = false
    button.setAttribute('aria-expanded', 'false')
    remember(false)
    button.focus()
  }
  const open = async () => {
    button.hidden = true
    button.setAttribute('aria-expanded', 'true')
    remember(true)
    recording.recordChanges()
    const { showPanel } = await import('./panel/panel.js')
    if (!isEnded && endPanel === undefined && button.hidden)
      endPanel = showPanel(root, { controller, recording, name, close })
  }
  const onKey = (event: KeyboardEvent) => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyS') return
    event.preventDefault()
    if (button.hidden) close()
    else void open()
  }

  if (hasButton) {
    button.addEventListener('click', () => void open())
    document.addEventListener('keydown', onKey)
    root.append(button)
    target.append(host)
    if (options.isOpen ?? wasOpen()) void open()
  }
  return () => {
    if (isEnded) return
    isEnded = true
    endPanel?.()
    document.removeEventListener('keydown', onKey)
    host.remove()
    endRedux()
    endOf(controller, recording)
  }
}

/**
 * Records a Controller without a panel, so that `explain` knows causes: in tests, and outside of browsers.
 *
 * @returns a function that ends it
 * @example
 * const end = record(controller)
 * expect(explain(controller, todoResource.get, { id: 5 }).fetched).toContain('TodoItem mounted')
 */
export function record(controller: Controller, options: RecordingOptions = {}): () => void {
  const recording = begin(controller, { ...options, recordsChanges: true })
  return () => endOf(controller, recording)
}

function remember(isOpen: boolean): void {
  write({ ...read(), isOpen })
}

function wasOpen(): boolean {
  return read()['isOpen'] === true
}

interface ReduxExtension {
  connect(options: { readonly name: string }): {
    init(state: unknown): void
    send(action: { readonly type: string }, state: unknown): void
  }
}

/** Sends each entry to the Redux DevTools extension, where it is installed. Read only. */
function sendToRedux(recording: Recording, name: string): () => void {
  const extension = (globalThis as Record<string, unknown>)['__REDUX_DEVTOOLS_EXTENSION__'] as
    ReduxExtension | undefined
  if (extension === undefined) return () => {}
  const connection = extension.connect({ name })
  const state = () => Object.fromEntries(recording.inspector.types().map(({ key, count }) => [key, count]))
  connection.init(state())
  const last = recording.ownEntries.at(-1)?.id ?? 0
  return follow(recording, (entry) => connection.send({ ...entry, type: entry.title }, state()), last)
}
