import type { Stage } from './stage.js'

// What a hand does on one side of the page.

const patienceMs = 20_000

/** Waits until a condition holds. A timer checks it: frames do not come in a tab that is hidden. */
export async function until({ signal }: Stage, holds: () => unknown, timeoutMs = patienceMs): Promise<true> {
  const start = performance.now()
  while (!holds()) {
    if (performance.now() - start > timeoutMs) throw new Error('The page does not show what it should.')
    await wait(20, signal)
  }
  return true
}

/** The articles in the list. */
export function rowsOf({ side }: Stage): HTMLElement[] {
  return [...side.querySelectorAll<HTMLElement>('.articles button')]
}

/** Clicks an element, as soon as it is there, with a light on it. @param text - of the element that a selector means */
export async function click(
  stage: Stage,
  target: string | HTMLElement | null | undefined,
  text = '',
): Promise<void> {
  const find = () => (typeof target === 'string' ? withText(stage, target, text) : target)
  await until(stage, find)
  const element = find()
  if (!element) return
  shine(element)
  await wait(120, stage.signal)
  element.click()
}

/** Types a text into a field, letter by letter. */
export async function type(stage: Stage, selector: string, text: string): Promise<void> {
  for (let length = 1; length <= text.length; length++) {
    await write(stage, selector, text.slice(0, length))
    await wait(30, stage.signal)
  }
}

/** Sets a field as a user does. React overrides the property of the element, so the setter of its class is called. */
export async function write(stage: Stage, selector: string, text: string): Promise<void> {
  const find = () => stage.side.querySelector<HTMLInputElement | HTMLSelectElement>(selector)
  await until(stage, find)
  const field = find()
  if (field === null) return
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

function withText({ side }: Stage, selector: string, text: string): HTMLElement | undefined {
  return [...side.querySelectorAll<HTMLElement>(selector)].find((element) => element.textContent === text)
}

function shine(element: HTMLElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  element.animate(
    { boxShadow: ['0 0 0 0 var(--accent)', '0 0 0 0.5rem transparent'] },
    { duration: 600, easing: 'ease-out' },
  )
}
