import { dueTimers, nextTask } from '@selfsame/conformance/next-task'
import { Controller } from '@selfsame/core'
import { ManualClock, Server, createApi, routeSamples } from '@selfsame/conformance'
import type { ControllerOptions } from '@selfsame/core'
import * as React from 'react'
import { startTransition } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { RootOptions } from 'react-dom/client'
import { expect, onTestFinished, vi } from 'vitest'

/** What React has for tests. In production it has nothing: the tasks that render are waited for. */
const act: typeof React.act =
  React.act ??
  (async (change: () => unknown) => {
    const result = await change()
    for (let task = 0; task < 8; task++) await nextTask()
    return result
  })

/** Runs a change of the page in `act`. Other updates reach React as they do in production, without `act`. */
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

/**
 * Waits for settled promises and for React. A response takes a browser several tasks to read and parse.
 *
 * @param wait - waits for a task @default one after the timers that are due
 */
export function settle(wait: () => Promise<void> = dueTimers): Promise<void> {
  return actAlone(async () => {
    for (let task = 0; task < 4; task++) await wait()
  })
}

/** A page in the DOM, removed at the end of the test. */
export interface Page {
  readonly container: HTMLElement
  /** The visible text, without content that an Activity or a Suspense hides. */
  readonly text: string
  render(node: ReactNode): Promise<void>
  /** What suspends leaves the page as it is, until it has its data. */
  renderInTransition(node: ReactNode): Promise<void>
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
    renderInTransition: (next) => actAlone(() => startTransition(() => root.render(next))),
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

/** A server, an API of it, and a Controller whose clock only the test moves. */
export function createStage(options: ControllerOptions = {}) {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  return { clock, server, api: createApi(server), controller: new Controller({ clock, ...options }) }
}

/** Fails a test that writes an error or a warning to the console. */
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
