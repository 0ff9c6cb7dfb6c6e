import type { HookArgs, OnScreen, ReadHook, ReadTarget } from '@selfsame/conformance'

/** What the component of a reader is given. */
export interface ReaderProps {
  readonly hook: ReadHook
  readonly endpoint: ReadTarget
  readonly args: HookArgs
  /** Gives the text that stands for a value on screen. */
  readonly deliver: (data: unknown) => string
}

/** What a reader of the driver is told to show, and what it showed. */
export class ReaderState {
  readonly hook: ReadHook
  declare endpoint: ReadTarget
  declare args: HookArgs
  isShown = $state(true)
  resetKey = $state(0)
  /** Handles what fails, where there is no `AsyncBoundary`. */
  readonly onError: ((error: unknown) => void) | undefined
  fallbacks = 0
  /** What was shown so far: data or errors. On screen is the number of one. */
  readonly #delivered: unknown[] = []
  #section: Element | undefined

  constructor(hook: ReadHook, endpoint: ReadTarget, args: HookArgs, onError?: (error: unknown) => void) {
    this.hook = hook
    this.onError = onError
    // Made with their values: one that is set later is, in async mode, not there yet for what renders meanwhile.
    this.endpoint = $state.raw(endpoint)
    this.args = $state.raw(args)
  }

  readonly attach = (section: Element): (() => void) => {
    this.#section = section
    return () => (this.#section = undefined)
  }

  readonly deliver = (value: unknown): string => String(this.#delivered.push(value) - 1)

  /** Counts a fallback that is there for a frame. Svelte puts one up for a moment even if what it awaits is there. */
  readonly countFallback = (fallback: Element): void => {
    setTimeout(() => {
      if (fallback.isConnected) this.fallbacks++
    }, 0)
  }

  get renders(): number {
    return this.#delivered.length
  }

  /** @throws {Error} when the screen shows two things at once */
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
