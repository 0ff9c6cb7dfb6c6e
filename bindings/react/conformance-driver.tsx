import { nextTask } from '@selfsame/conformance/next-task'
import type { Controller } from '@selfsame/core'
import { PageAround, argsNow, remade } from '@selfsame/conformance'
import type {
  App,
  Arrangement,
  Driver,
  HookArgs,
  OnScreen,
  ReadHook,
  ReadTarget,
  Reader,
} from '@selfsame/conformance'
import * as React from 'react'
import { Component, Suspense, useLayoutEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { readHooks, shownOfResult } from './read-hooks.js'
import type { Use } from './legacy-hooks-driver.js'
import { AsyncBoundary, DataProvider } from './src/index.js'
import { actAlone, settle } from './test-app.js'

/** The props of a reader. */
interface Shown {
  readonly hook: ReadHook
  readonly endpoint: ReadTarget
  readonly args: HookArgs
  readonly isHidden: boolean
  readonly resetKey: number
}

/** The outermost handler of an application that has no `AsyncBoundary`. */
class Outermost extends Component<{
  readonly children: ReactNode
  readonly onError: (error: unknown) => void
}> {
  override state: { readonly error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error)
  }

  override render(): ReactNode {
    return 'error' in this.state ? <Screen state="error" value={this.state.error} /> : this.props.children
  }
}

const is18 = React.version.startsWith('18.')

/** Hides its children. React 18 has no Activity, so there they are unmounted. */
const Hideable = is18
  ? ({ mode, children }: React.ActivityProps): ReactNode => (mode === 'hidden' ? null : children)
  : React.Activity

/** The values that elements on the page stand for. */
const values = new WeakMap<Element, unknown>()

/** The screen of a reader: its state, and the value that it stands for. */
export function Screen({
  state,
  value,
}: {
  readonly state: OnScreen['state']
  readonly value?: unknown
}): ReactNode {
  return <p data-state={state} ref={(element) => void (element && values.set(element, value))} />
}

/** The fallback of a reader. */
function Fallback({ onMounted }: { readonly onMounted: () => void }): ReactNode {
  useLayoutEffect(onMounted, [onMounted])
  return <Screen state="fallback" />
}

interface CallingProps {
  readonly shown: Shown
  /** Called in each render. */
  readonly onRender: () => void
}

/** A component for each hook, so that it calls the same one in all of its renders. */
const callingHooks = Object.fromEntries(
  Object.entries(readHooks).map(([hook, useHook]) => {
    const shownOf = shownOfResult[hook as ReadHook] as ((result: unknown) => unknown) | undefined
    return [hook, componentOf(useHook, shownOf)]
  }),
)

function componentOf(useHook: Use, shownOf = (result: unknown) => result) {
  return function Calling({ shown, onRender }: CallingProps): ReactNode {
    onRender()
    const result = useHook(shown.endpoint, argsNow(shown.args))
    return <Screen state="ready" value={shownOf(result)} />
  }
}

/** The parent of a reader, with state and a text field. */
function Page({
  around,
  children,
}: {
  readonly around: PageAround
  readonly children: ReactNode
}): ReactNode {
  const [isOpen, setIsOpen] = useState(() => around.enter())
  useLayoutEffect(() => around.onOpen(() => setIsOpen(true)), [around])
  return (
    <>
      <input ref={(field) => around.attach(field)} />
      {isOpen && children}
    </>
  )
}

class ReactReader implements Reader {
  renders = 0
  fallbacks = 0
  readonly #render: (change: () => void) => Promise<void>
  #element: Element | null = null
  #shown: Shown | undefined
  #boundary: { reset: () => void } | undefined

  readonly #onError: ((error: unknown) => void) | undefined
  readonly page: PageAround | undefined

  /** @param onError - called with errors of a reader without an `AsyncBoundary` */
  constructor(
    shown: Shown,
    render: (change: () => void) => Promise<void>,
    onError?: (error: unknown) => void,
    page?: PageAround,
  ) {
    this.page = page
    this.#shown = shown
    this.#onError = onError
    this.#render = render
  }

  readonly #onRender = (): void => void this.renders++
  readonly #onFallback = (): void => void this.fallbacks++

  readonly #Failed = ({ error, reset }: { readonly error: Error; readonly reset: () => void }): ReactNode => {
    this.#boundary = { reset }
    return <Screen state="error" value={error} />
  }

  /** The reader's part of the page. */
  view(): ReactNode {
    if (this.#shown === undefined) return null
    const fallback = <Fallback onMounted={this.#onFallback} />
    const Calling = callingHooks[this.#shown.hook] as ComponentType<CallingProps>
    const reader = <Calling shown={this.#shown} onRender={this.#onRender} />
    if (this.#onError !== undefined) {
      return (
        <section ref={(element) => void (this.#element = element)}>
          <Outermost onError={this.#onError}>
            <Suspense fallback={fallback}>{reader}</Suspense>
          </Outermost>
        </section>
      )
    }
    return (
      <section ref={(element) => void (this.#element = element)}>
        <Hideable mode={this.#shown.isHidden ? 'hidden' : 'visible'}>
          <AsyncBoundary fallback={fallback} errorFallback={this.#Failed} resetKeys={[this.#shown.resetKey]}>
            {this.page === undefined ? reader : <Page around={this.page}>{reader}</Page>}
          </AsyncBoundary>
        </Hideable>
      </section>
    )
  }

  current(): OnScreen {
    const elements = [...(this.#element?.querySelectorAll<HTMLElement>('[data-state]') ?? [])]
    const visible = elements.filter((element) => element.style.display !== 'none')
    if (visible.length > 1) throw new Error(`${visible.length} states are on screen at once.`)
    const [element] = visible
    const value = element && values.get(element)
    switch (element?.dataset['state']) {
      case 'ready':
        return { state: 'ready', data: value }
      case 'fallback':
        return { state: 'fallback' }
      case 'error':
        return { state: 'error', error: value }
      default:
        return { state: 'gone' }
    }
  }

  change(...args: HookArgs): Promise<void> {
    return this.#show({ args })
  }

  changeEndpoint(endpoint: ReadTarget, ...args: HookArgs): Promise<void> {
    return this.#show({ endpoint, args })
  }

  rerender(): Promise<void> {
    return this.#show({ args: remade(this.#shown?.args ?? []) })
  }

  async reset(): Promise<void> {
    await this.#render(() => this.#boundary?.reset())
  }

  tryAgain(): Promise<void> {
    return this.#show({ resetKey: (this.#shown?.resetKey ?? 0) + 1 })
  }

  hide(): Promise<void> {
    return this.#show({ isHidden: true })
  }

  show(): Promise<void> {
    return this.#show({ isHidden: false })
  }

  async unmount(): Promise<void> {
    await this.#render(() => (this.#shown = undefined))
  }

  async #show(change: Partial<Shown>): Promise<void> {
    await this.#render(() => {
      if (this.#shown !== undefined) this.#shown = { ...this.#shown, ...change }
    })
  }
}

class ReactApp implements App {
  readonly #controller: Controller
  readonly #container = document.body.appendChild(document.createElement('main'))
  readonly #root = createRoot(this.#container)
  readonly #readers: ReactReader[] = []

  readonly #arrangement: Arrangement | undefined

  constructor(controller: Controller, arrangement?: Arrangement) {
    this.#controller = controller
    this.#arrangement = arrangement
  }

  readonly failures: unknown[] = []

  mount(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader> {
    const page = this.#arrangement === 'in a page' ? new PageAround() : undefined
    return this.#mount({ hook, endpoint, args, isHidden: false, resetKey: 0 }, undefined, page)
  }

  mountBare(hook: ReadHook, endpoint: ReadTarget, ...args: HookArgs): Promise<Reader> {
    const onError = (error: unknown) => this.failures.push(error)
    return this.#mount({ hook, endpoint, args, isHidden: false, resetKey: 0 }, onError)
  }

  async #mount(shown: Shown, onError?: (error: unknown) => void, page?: PageAround): Promise<Reader> {
    const reader = new ReactReader(shown, (change) => this.#render(change), onError, page)
    await this.#render(() => this.#readers.push(reader))
    page?.type()
    if (page !== undefined) await actAlone(() => page.open())
    return reader
  }

  settle(): Promise<void> {
    // The clock of the scenario has all timers.
    return settle(nextTask)
  }

  async close(): Promise<void> {
    await actAlone(() => this.#root.unmount())
    this.#container.remove()
  }

  async #render(change: () => void): Promise<void> {
    await actAlone(() => {
      change()
      this.#root.render(
        <DataProvider controller={this.#controller}>
          {this.#readers.map((reader, index) => (
            // Readers are only added, at the end.
            // eslint-disable-next-line react/no-array-index-key
            <div key={index}>{reader.view()}</div>
          ))}
        </DataProvider>,
      )
    })
  }
}

const waitsTwice = 'React 19 renders what waits a second time before it is there, to start what is beside it'

/** The known gaps of React 19 that React 18 does not have. */
const gapsOf19 = { 'renders/a cold list': waitsTwice, 'renders/an unknown detail': waitsTwice }

export const driver: Driver = {
  name: is18 ? 'react 18' : 'react',
  knownGaps: {
    ...(is18 ? {} : gapsOf19),
    'F16/abort/first load':
      'React tells nobody when it throws away a component that was never on screen, so its request is answered',
  },
  hasPages: true,
  open: (controller, arrangement) => new ReactApp(controller, arrangement),
}
