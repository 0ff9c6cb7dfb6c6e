import { Controller } from '@selfsame/core'
import { ManualClock, Server, createApi, routeSamples } from '@selfsame/conformance'
import type { ControllerOptions } from '@selfsame/core'
import { act } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { RootOptions } from 'react-dom/client'
import { expect, onTestFinished, vi } from 'vitest'

/** Runs what changes the page, and lets React finish. Updates from elsewhere reach React as they do in a page. */
export async function actAlone<Result>(change: () => Result): Promise<Awaited<Result>> {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
  environment.IS_REACT_ACT_ENVIRONMENT = true
  try {
    return await act(async () => {
      return await change()
    })
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = false
  }
}

/** Lets settled promises and React finish; an answer takes a browser some tasks to read and parse. */
export function settle(): Promise<void> {
  return actAlone(async () => {
    for (let task = 0; task < 4; task++) await new Promise((resolve) => setTimeout(resolve))
  })
}

/** An element on the page, rendered by React until the test is over. */
export interface Page {
  readonly container: HTMLElement
  /** The text on screen: not what an Activity or a Suspense hides. */
  readonly text: string
  render(node: ReactNode): Promise<void>
  unmount(): Promise<void>
}

export async function openPage(
  node: ReactNode,
  { onCaughtError = () => {} }: RootOptions = {},
): Promise<Page> {
  const container = document.body.appendChild(document.createElement('main'))
  const root = createRoot(container, { onCaughtError })
  const page: Page = {
    container,
    get text() {
      return textOf(container)
    },
    render: (next) => actAlone(() => root.render(next)),
    unmount: () => actAlone(() => root.unmount()),
  }
  onTestFinished(async () => {
    await page.unmount()
    container.remove()
  })
  await page.render(node)
  return page
}

/** Clicks the page's button. */
export function click({ container }: Page): Promise<void> {
  return actAlone(() => container.querySelector('button')?.click())
}

function textOf(node: Node): string {
  if (node instanceof HTMLElement && node.style.display === 'none') return ''
  return node instanceof Text ? node.data : [...node.childNodes].map(textOf).join('')
}

/** A server, an API that asks it and a Controller over a clock that stands still. */
export function createStage(options: ControllerOptions = {}) {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  return { clock, server, api: createApi(server), controller: new Controller({ clock, ...options }) }
}

/** Fails the test that wrote anything to the console as an error or a warning. */
export function forbidConsole(): void {
  for (const level of ['error', 'warn'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation(() => {})
    onTestFinished(() => {
      const { calls } = spy.mock
      spy.mockRestore()
      expect(calls, `console.${level}`).toEqual([])
    })
  }
}
