/**
 * An inspector with a timeline in the devtools of Vue.
 *
 * @packageDocumentation
 */
import type { Controller } from '@selfsame/core'
import type { RecordingOptions } from './recording.js'
import { begin, endOf } from './recordings.js'

/** Options of `vueDevtoolsPlugin`. Those of the recording have the defaults of `devtools`. */
export interface VueDevtoolsOptions extends RecordingOptions {
  /** The Controller to record: that of the application's `dataPlugin`. */
  readonly controller: Controller
  /** The name of the inspector and of its layer in the timeline. @default 'Selfsame' */
  readonly name?: string | undefined
  /** Tells several Controllers of one application apart: each needs an id of its own. @default 'selfsame' */
  readonly id?: string | undefined
}

/** What the plugin needs of an application of Vue. */
export interface VueApplication {
  /** Of Vue 3.5 and later: calls a function when the application is unmounted. */
  onUnmount?(end: () => void): void
}

/**
 * A plugin for an application of Vue: the devtools of Vue get an inspector with calls and records, and a layer of their
 * timeline. Records are edited there, and calls fetched, made Stale or Invalid. It needs `@vue/devtools-api` 8, which is loaded in a
 * browser when the plugin is installed: without it, the promise of that import rejects, and the page goes on. On a server it does
 * nothing. The recording ends when the application is unmounted.
 *
 * @example createApp(App).use(dataPlugin, { controller }).use(vueDevtoolsPlugin, { controller })
 */
export const vueDevtoolsPlugin = {
  install(app: VueApplication, options: VueDevtoolsOptions): void {
    if (typeof document === 'undefined') return
    const { controller, name = 'Selfsame', id = 'selfsame' } = options
    const recording = begin(controller, options)
    let isEnded = false
    let endInspector: (() => void) | undefined
    app.onUnmount?.(() => {
      isEnded = true
      endInspector?.()
      endOf(controller, recording)
    })
    void import('./vue-inspector.js').then(({ addInspector }) => {
      if (!isEnded) endInspector = addInspector({ app, recording, name, id })
    })
  },
}
