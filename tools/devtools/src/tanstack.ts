/**
 * The panel as a tab of the shell of `@tanstack/devtools`.
 *
 * @packageDocumentation
 */
import type { Controller } from '@selfsame/core'
import type { RecordingOptions } from './recording.js'
import { begin, endOf } from './recordings.js'

export interface TanstackPluginOptions extends RecordingOptions {
  /** The name of the tab. @default 'Selfsame' */
  readonly name?: string | undefined
  /** Tells several Controllers of one page apart. @default 'selfsame' */
  readonly id?: string | undefined
}

/** A plugin of `@tanstack/devtools`. It is a plain object, so this package does not need that one. */
export interface TanstackPlugin {
  readonly id: string
  readonly name: string
  /** Shows the panel in an element while the shell is open. The shell calls it. */
  readonly render: (element: HTMLElement, props?: TanstackPluginProps) => void
  /** Removes the panel. The recording goes on. The shell calls it. */
  readonly destroy: () => void
  /** Removes the panel, and ends the recording. */
  readonly end: () => void
}

/** What the shell tells a plugin. */
export interface TanstackPluginProps {
  readonly theme?: 'light' | 'dark'
  readonly devtoolsOpen?: boolean
}

/**
 * Starts to record a Controller, and makes a plugin for the shell of `@tanstack/devtools`. The panel's code is loaded when its
 * tab is opened. While the shell is closed there is no timer and no frame callback.
 *
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
