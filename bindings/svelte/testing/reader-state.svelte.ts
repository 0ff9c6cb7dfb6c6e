import type { HookArgs, OnScreen, PageAround, ReadHook, ReadTarget } from '@selfsame/conformance'

/** The props of a reader's component. */
export interface ReaderProps {
  readonly hook: ReadHook
  readonly endpoint: ReadTarget
  readonly args: HookArgs
  /** Returns the text that stands for a value on screen. */
  readonly deliver: (data: unknown) => string
}

/** The input of a reader, and the values that it showed. */
export class ReaderState {
  readonly hook: ReadHook
  declare endpoint: ReadTarget
  declare args: HookArgs
  isShown = $state(true)
  resetKey = $state(0)
  /** Called with errors of a reader without an `AsyncBoundary`. */
  readonly onError: ((error: unknown) => void) | undefined
  readonly page: PageAround | undefined
  fallbacks = 0
  /** The data and errors shown so far. The screen has the index of one. */
  readonly #delivered: unknown[] = []
  #section: Element | undefined

  constructor(
    hook: ReadHook,
    endpoint: ReadTarget,
    args: HookArgs,
    onError?: (error: unknown) => void,
    page?: PageAround,
  ) {
    this.hook = hook
    this.onError = onError
    this.page = page
    // Created with their values: in async mode, a value that is set later is missing in a render that is already
    // running.
    this.endpoint = $state.raw(endpoint)
    this.args = $state.raw(args)
  }

  readonly attach = (section: Element): (() => void) => {
    this.#section = section
    return () => (this.#section = undefined)
  }

  readonly deliver = (value: unknown): string => String(this.#delivered.push(value) - 1)

  /** Counts a fallback that lasts for a frame. Svelte shows one briefly even if the awaited value is already there. */
  readonly countFallback = (fallback: Element): void => {
    setTimeout(() => {
      if (fallback.isConnected) this.fallbacks++
    }, 0)
  }

  get renders(): number {
    return this.#delivered.length
  }

  /** @throws {Error} if two states are on screen at once */
  current(): OnScreen {
    const visible = [...(this.#section?.querySelectorAll('output, progress, button') ?? [])].filter(isVisible)
    if (visible.length > 1)
      throw new Error(`On screen at once: ${visible.map(({ tagName }) => tagName).join(', ')}.`)
    const [element] = visible
    if (element === undefined) return { state: 'gone' }
    if (element instanceof HTMLProgressElement) return { state: 'fallback' }
    const value = this.#delivered[Number(element.textContent)]
    return element instanceof HTMLButtonElement
      ? { state: 'error', error: value }
      : { state: 'ready', data: value }
  }

  /** Clicks the button of the error fallback. */
  reset(): void {
    this.#section?.querySelector('button')?.click()
  }
}

function isVisible(element: Element): boolean {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    if (getComputedStyle(each).display === 'none') return false
  }
  return true
}
