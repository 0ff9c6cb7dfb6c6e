import { requestLog } from '../api.js'
import { elementById } from './element-by-id.js'
import type { Controls } from './controls.js'

/** A part of the story: what it says, and what it does meanwhile. */
interface Scene {
  readonly caption: string | (() => string)
  /** How long it lasts, in milliseconds. */
  readonly length: number
  readonly play?: (stage: Stage) => Promise<void>
}

/** What a scene can do on the page: what a user can. */
interface Stage {
  readonly controls: Controls
  /** Waits. Rejects when the story is stopped. */
  readonly wait: (ms: number) => Promise<void>
}

const scenes: readonly Scene[] = [
  {
    caption: 'Three frameworks opened the same list and article. Each was fetched once.',
    length: 3000,
  },
  {
    caption: 'React opens another article and fetches it. Vue and Svelte open it too, without a request.',
    length: 4000,
    async play({ wait }) {
      for (const pane of ['react', 'vue', 'svelte']) {
        click(pane, '.article-list li:nth-child(2) .row')
        await wait(900)
      }
    },
  },
  {
    caption: 'Vue renames the author. Every row and detail shows the new name: one PATCH, no refetch.',
    length: 4500,
    async play({ wait }) {
      click('vue', '.author .button')
      await type('vue', '.author input', 'Ada Lovelace', wait)
      click('vue', '.author .primary')
    },
  },
  {
    caption: 'The server is slow. Svelte saves a title: all panes show it now, before the response.',
    length: 4500,
    async play({ controls, wait }) {
      await controls.turn({ isSlow: true })
      click('svelte', '.detail .actions .primary')
      await type('svelte', '.article-form input', 'Shown before the server knew', wait)
      click('svelte', '.article-form .primary')
    },
  },
  {
    caption: 'The next request will fail. React saves, and every pane rolls the change back.',
    length: 4000,
    async play({ controls, wait }) {
      await wait(200)
      await controls.turn({ failsNext: true })
      click('react', '.detail .actions .primary')
      await type('react', '.article-form input', 'This will not last', wait)
      click('react', '.article-form .primary')
    },
  },
  {
    caption: () =>
      `${requestLog.count} requests, ${requestLog.refetches} refetches, ${requestLog.saved} requests saved. Your turn: edit, delete, undo.`,
    length: 0,
    async play({ controls }) {
      await controls.turn({ isSlow: false, failsNext: false })
      document.querySelector<HTMLElement>('#react .article-form .actions .button:not(.primary)')?.click()
    },
  },
]

/** Makes the button "Play" tell the story of this page in 20 seconds, with captions. "Stop" ends it. */
export function startStory(controls: Controls): void {
  const button = elementById('play')
  let running: AbortController | undefined

  elementById('close-caption').addEventListener('click', () => {
    running?.abort()
    showCaption('')
    button.focus()
  })

  button.addEventListener('click', async () => {
    if (running !== undefined) return running.abort()
    running = new AbortController()
    showButton(button, true)
    await play(controls, running.signal).catch(() => controls.turn({ isSlow: false, failsNext: false }))
    running = undefined
    showButton(button, false)
  })
}

async function play(controls: Controls, signal: AbortSignal): Promise<void> {
  const wait = (ms: number) => pause(ms, signal)
  // A story that was stopped can have left a form.
  for (const form of document.querySelectorAll<HTMLElement>('.pane form .actions .button:not(.primary)'))
    form.click()
  show(document.querySelector('.panes'), 'block')
  try {
    for (const { caption, length, play: act } of scenes) {
      const start = performance.now()
      showCaption(typeof caption === 'string' ? caption : '')
      await act?.({ controls, wait })
      if (typeof caption === 'function') showCaption(caption())
      await wait(Math.max(0, length - (performance.now() - start)))
    }
  } finally {
    if (signal.aborted) showCaption('')
  }
}

function showButton(button: HTMLElement, isPlaying: boolean): void {
  button.textContent = isPlaying ? 'Stop' : 'Play'
  button.dataset['icon'] = isPlaying ? 'square' : 'play'
}

function showCaption(text: string): void {
  const caption = elementById('caption')
  caption.textContent = text
  if (text !== '' && !matchMedia('(prefers-reduced-motion: reduce)').matches)
    caption.animate(
      { opacity: [0, 1], translate: ['0 0.4rem', '0 0'] },
      { duration: 250, easing: 'ease-out' },
    )
}

/** Clicks an element of a pane, with a light on it. */
function click(pane: string, selector: string): void {
  const element = document.querySelector<HTMLElement>(`#${pane} ${selector}`)
  if (element === null) return
  show(elementById(pane), 'inline')
  element.animate(
    { boxShadow: ['0 0 0 0 var(--accent)', '0 0 0 0.5rem transparent'] },
    { duration: 600, easing: 'ease-out' },
  )
  element.click()
}

/** Scrolls an element into view where it is not: down the page, or sideways among the panes. */
function show(element: Element | null, axis: 'block' | 'inline'): void {
  const { top = 0, bottom = 0, left = 0, right = 0 } = element?.getBoundingClientRect() ?? {}
  if (axis === 'block' ? top >= 0 && bottom <= innerHeight : left >= 0 && right <= innerWidth) return
  element?.scrollIntoView({
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
    block: axis === 'block' ? 'start' : 'nearest',
    inline: axis === 'inline' ? 'start' : 'nearest',
  })
}

/** Types a text into a field of a pane, letter by letter, as soon as the field is there. */
async function type(pane: string, selector: string, text: string, wait: Stage['wait']): Promise<void> {
  await wait(250)
  const field = document.querySelector<HTMLInputElement>(`#${pane} ${selector}`)
  if (field === null) return
  for (let length = 1; length <= text.length; length++) {
    enter(field, text.slice(0, length))
    await wait(40)
  }
  await wait(300)
}

/** Enters a text as a user does. React overrides the property of the element, so the setter of its class is called. */
function enter(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Error('The story was stopped.'))
    })
  })
}
