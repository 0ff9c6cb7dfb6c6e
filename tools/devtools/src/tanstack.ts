/**
 * The panel as a tab of the shell of `@tanstack/devtools`.
 *
 * @packageDocumentation
 */
import type { Controller } from '@selfsame/core'
import type { RecordingOptions } from './recording.js'
import { begin, endOf } from './recordings.js'

/** Options of `tanstackPlugin`. Those of the recording have the defaults of `devtools`. */
export interface TanstackPluginOptions extends RecordingOptions {
  /** The name of the tab. @default 'Selfsame' */
  readonly name?: string | undefined
  /** Tells several Controllers of one page apart: each needs an id of its own. @default 'selfsame' */
  readonly id?: string | undefined
}

/** A plugin of `@tanstack/devtools`, and of its adapter for React. It is a plain object, so this package needs neither. */
export interface TanstackPlugin {
  readonly id: string
  readonly name: string
  /** Shows the panel in an element while the shell is open. The shell calls it. Returns nothing. */
  // The adapter for React wants an element of React for its type, and takes `undefined`, which shows nothing more.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly render: (element: HTMLElement, props?: TanstackPluginProps) => any
  /** Removes the panel. The recording goes on. The shell calls it. */
  readonly destroy: () => void
  /** Removes the panel, and ends the recording. A second call does nothing. */
  readonly end: () => void
}

/** What the shell tells a plugin. */
export interface TanstackPluginProps {
  /** The colours of the shell. @default those of the system */
  readonly theme?: 'light' | 'dark'
  /** `false` removes the panel. @default true */
  readonly devtoolsOpen?: boolean
}

/**
 * Starts to record a Controller, and makes a plugin for the shell of `@tanstack/devtools`. The panel's code is loaded when its
 * tab is opened. While the shell is closed there is no timer and no frame callback.
 *
 * Call it once for each Controller, outside of components: each call starts a recording or joins it, until its `end()`.
 *
 * @returns the plugin, to pass to `TanStackDevtoolsCore`, or in React to `<TanStackDevtools>`
 * @example
 * new TanStackDevtoolsCore({ plugins: [tanstackPlugin(controller)] }).mount(element)
 */
export function tanstackPlugin(controller: Controller, options: TanstackPluginOptions = {}): TanstackPlugin {
  const { id = 'selfsame', name = 'Selfsame' } = options
  const recording = begin(controller, options)
  let host: HTMLElement | undefined
  let endPanel: (() => void) | undefined
  let isEnded = false

  const destroy = () => {
    endPanel?.()
    endPanel = undefined
    host?.remove()
    host = undefined
  }
  const show = async (element: HTMLElement) => {
    const own = document.createElement('selfsame-devtools')
    // A strict Content-Security-Policy refuses the attribute.
    own.style.cssText = 'display:block;height:100%'
    const root = own.attachShadow({ mode: 'open' })
    host = own
    element.append(own)
    recording.recordChanges()
    const { showPanel } = await import('./panel/panel.js')
    if (host === own) endPanel = showPanel(root, { controller, recording, name, close: undefined })
  }
  return {
    id,
    name,
    destroy,
    render(element, { theme, devtoolsOpen = true } = {}) {
      if (isEnded) return
      if (!devtoolsOpen || host?.parentElement !== element) destroy()
      if (devtoolsOpen && host === undefined) void show(element)
      if (theme !== undefined) host?.setAttribute('data-theme', theme)
    },
    end() {
      if (isEnded) return
      isEnded = true
      destroy()
      endOf(controller, recording)
    },
  }
}
