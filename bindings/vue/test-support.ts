import { ManualClock, Server, createApi, routeSamples } from '@selfsame/conformance'
import type { Api } from '@selfsame/conformance'
import { Controller } from '@selfsame/core'
import { mount } from '@vue/test-utils'
import { nextTick } from 'vue'
import type { App, VNodeChild } from 'vue'
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { dataPlugin } from './src/index.js'

/** A Controller with a scripted server, and helpers to inspect a page. */
export interface Stage {
  readonly clock: ManualClock
  readonly server: Server
  readonly api: Api
  readonly controller: Controller
}

export function createStage(): Stage {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  return { clock, server, api: createApi(server), controller: new Controller({ clock }) }
}

export interface Page {
  readonly app: App
  readonly element: HTMLElement
  /** The visible text. */
  text(): string
}

/** Mounts an app until the end of the test. Without a Controller it has no provider. */
export async function mountPage(
  controller: Controller | undefined,
  render: () => VNodeChild,
  configure: (app: App) => void = () => {},
): Promise<Page> {
  const element = document.body.appendChild(document.createElement('div'))
  const apps: App[] = []
  const wrapper = mount(
    { render },
    {
      attachTo: element,
      global: {
        stubs: { transition: false },
        plugins: [
          (app: App) => {
            apps.push(app)
            if (controller !== undefined) app.use(dataPlugin, { controller })
            configure(app)
          },
        ],
      },
    },
  )
  onTestFinished(() => {
    wrapper.unmount()
    element.remove()
  })
  await settle()
  const root = element.firstElementChild as HTMLElement
  return { app: apps[0] as App, element: root, text: () => visibleText(root) }
}

/** Waits for promises, the flush of Vue and due timers. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve))
    await nextTick()
  }
}

function visibleText(node: Node): string {
  if (node instanceof HTMLElement && node.style.display === 'none') return ''
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? ''
  return [...node.childNodes].map(visibleText).join('')
}

/** Fails the tests of a file that write a warning or an error to the console. @returns the messages so far */
export function watchConsole(): { take(): string[] } {
  let logged: string[] = []
  beforeEach(() => {
    logged = []
    for (const level of ['warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((...args: unknown[]) => {
        logged.push(args.map(String).join(' '))
      })
    }
  })
  afterEach(() => {
    vi.restoreAllMocks()
    expect(logged).toEqual([])
  })
  return { take: () => logged.splice(0) }
}
