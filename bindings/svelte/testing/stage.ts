import { ManualClock, Server, createApi, routeSamples } from '@selfsame/conformance'
import type { Api } from '@selfsame/conformance'
import { Controller } from '@selfsame/core'
import { render } from '@testing-library/svelte'
import { flushSync, tick } from 'svelte'
import type { ComponentProps } from 'svelte'
import StageComponent from './Stage.svelte'

/** The environment of a test of this package: a scripted server, a clock, and a component on the page. */
export interface Stage {
  readonly clock: ManualClock
  readonly server: Server
  readonly api: Api
  readonly controller: Controller
  /** Mounts a component until the end of the test: it calls `setup`, and shows the value of the getter that it returns. */
  mount(
    setup: () => () => unknown,
    options?: Partial<ComponentProps<typeof StageComponent>>,
  ): { readonly unmount: () => Promise<void> }
  /** The visible text of the page; `…` for a fallback. */
  screen(): string
  settle(): Promise<void>
}

export function createStage(): Stage {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  const controller = new Controller({ clock })
  return {
    clock,
    server,
    api: createApi(server),
    controller,
    mount(setup, options = {}) {
      const { unmount } = render(StageComponent, {
        target: document.body,
        props: { controller, setup, ...options },
      })
      let isMounted = true
      const end = async () => {
        if (isMounted) unmount()
        isMounted = false
        await tick()
      }
      return { unmount: end }
    },
    screen: () =>
      [...document.body.querySelectorAll('output, progress, button, em')].map(textOf).join(' ').trim(),
    settle: frame,
  }
}

function textOf(element: Element): string {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    if (getComputedStyle(each).display === 'none') return ''
  }
  return element instanceof HTMLProgressElement ? '…' : (element.textContent ?? '')
}

async function frame(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    flushSync()
    await tick()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
