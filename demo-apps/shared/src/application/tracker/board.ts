import type { IssuePriority, IssueState } from '../../issue.js'
import { focusIssue } from './motion.js'
import { issueStates, placeByUrgency } from './words.js'
import type { Urgency } from './words.js'

interface BoardOptions {
  /** Called when the user drops or sends an issue to a column. */
  readonly move: (id: number, state: IssueState) => void
}

/** How far a mouse moves before it drags, in pixels. */
const threshold = 5
/** How long a finger rests before it drags, in milliseconds; before that it scrolls. */
const rest = 250

/**
 * Lets the user move the issues of a board: by a pointer, and by Shift and an arrow key. Arrow keys alone move the focus.
 * Columns have `data-state`, cards `data-issue`, the icon of their priority with `data-value`, and a link.
 *
 * @returns a function that ends it
 */
export function operateBoard(board: HTMLElement, options: BoardOptions): () => void {
  const ended = new AbortController()
  const move: BoardOptions['move'] = (id, state) => {
    options.move(id, state)
    void ringLanded(board, id, state)
  }
  const { signal } = ended
  board.addEventListener('keydown', (event) => onKey(event, move), { signal })
  board.addEventListener('pointerdown', (event) => onPointerDown(event, move), { signal })
  // The browser's own drag of links would end ours.
  board.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
  return () => ended.abort()
}

function onKey(event: KeyboardEvent, move: BoardOptions['move']): void {
  const card = cardOf(event.target)
  const column = card?.closest<HTMLElement>('[data-state]')
  if (!card || !column || event.ctrlKey || event.metaKey || event.altKey) return
  const steps: Record<string, readonly [x: number, y: number]> = {
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
  }
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  const [x, y] = step
  const places = issueStates.map(({ value }) => value)
  const place = places.indexOf(stateOf(column))
  const target = places[place + x]
  if (event.shiftKey) {
    if (x !== 0 && target !== undefined) move(idOf(card), target)
    return
  }
  const cards = cardsOf(column)
  const row = cards.indexOf(card)
  const columns = [...(column.parentElement?.querySelectorAll<HTMLElement>('[data-state]') ?? [])]
  // The next column in that direction that has cards.
  const others = x < 0 ? columns.slice(0, place).toReversed() : columns.slice(place + 1)
  const next =
    x === 0
      ? cards[row + y]
      : others
          .map((other) => cardsOf(other))
          .find((list) => list.length > 0)
          ?.at(row)
  const last = others
    .map((other) => cardsOf(other))
    .find((list) => list.length > 0)
    ?.at(-1)
  const wanted = next ?? (x === 0 ? undefined : last)
  if (wanted !== undefined) focusIssue(wanted.dataset['issue'] ?? '')
}

function onPointerDown(down: PointerEvent, move: BoardOptions['move']): void {
  const card = cardOf(down.target)
  if (!card || down.button !== 0) return
  const ended = new AbortController()
  const { signal } = ended
  const isTouch = down.pointerType === 'touch'
  let drag: Drag | undefined
  const timer = isTouch ? setTimeout(() => (drag = new Drag(card, down)), rest) : undefined
  const end = () => {
    clearTimeout(timer)
    drag?.end()
    ended.abort()
  }
  addEventListener(
    'pointermove',
    (event) => {
      const distance = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY)
      if (drag === undefined && distance > threshold) {
        // A finger that moves early scrolls.
        if (isTouch) return end()
        drag = new Drag(card, down)
      }
      drag?.to(event)
    },
    { signal },
  )
  // A finger that drags does not scroll.
  boardOf(card)?.addEventListener('touchmove', (event) => drag && event.preventDefault(), {
    signal,
    passive: false,
  })
  addEventListener(
    'pointerup',
    () => {
      const state = drag?.state
      if (drag !== undefined) ignoreNextClick()
      end()
      if (state !== undefined) move(idOf(card), state)
    },
    { signal },
  )
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', (event) => event.key === 'Escape' && end(), { signal })
}

/** A card that is dragged: a copy of it follows the pointer. */
class Drag {
  readonly #card: HTMLElement
  readonly #ghost: HTMLElement
  readonly #start: PointerEvent
  #over: HTMLElement | undefined

  constructor(card: HTMLElement, start: PointerEvent) {
    const { left, top, width } = card.getBoundingClientRect()
    this.#card = card
    this.#start = start
    this.#ghost = card.cloneNode(true) as HTMLElement
    this.#ghost.removeAttribute('data-issue')
    this.#ghost.classList.add('ghost')
    this.#ghost.inert = true
    Object.assign(this.#ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
    document.body.append(this.#ghost)
    card.classList.add('dragged')
    document.documentElement.classList.add('dragging')
  }

  /** The column under the pointer. */
  get state(): IssueState | undefined {
    return this.#over && stateOf(this.#over)
  }

  to({ clientX, clientY }: PointerEvent): void {
    this.#ghost.style.translate = `${clientX - this.#start.clientX}px ${clientY - this.#start.clientY}px`
    const columns = boardOf(this.#card)?.querySelectorAll<HTMLElement>('[data-state]') ?? []
    // Also below a column that is shorter than the one that the card is from.
    const over = [...columns].find((column) => {
      const { left, right } = column.getBoundingClientRect()
      return left <= clientX && clientX <= right
    })
    if (over === this.#over) return
    this.#leave()
    this.#over = over
    this.#over?.classList.add('over')
    this.#showPlace()
  }

  /** Marks where the order of the column puts the card. */
  #showPlace(): void {
    if (this.#over === undefined || this.#card.closest('[data-state]') === this.#over) return
    const cards = cardsOf(this.#over)
    const next = cards[placeByUrgency(urgencyOf(this.#card), cards.map(urgencyOf))]
    if (next === undefined) this.#over.querySelector('.stack')?.classList.add('after-place')
    else next.classList.add('before-place')
  }

  #leave(): void {
    this.#over?.classList.remove('over')
    for (const mark of ['before-place', 'after-place'])
      this.#over?.querySelector(`.${mark}`)?.classList.remove(mark)
  }

  end(): void {
    this.#ghost.remove()
    this.#card.classList.remove('dragged')
    this.#leave()
    document.documentElement.classList.remove('dragging')
  }
}

/** The click that ends a drag opens no issue. */
function ignoreNextClick(): void {
  addEventListener('click', ignore, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', ignore, { capture: true }))
}

function ignore(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

function cardOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-issue]') : null
}

function boardOf(card: HTMLElement): HTMLElement | null {
  return card.closest<HTMLElement>('.board')
}

function cardsOf(column: HTMLElement): HTMLElement[] {
  return [...column.querySelectorAll<HTMLElement>('[data-issue]')]
}

function stateOf(column: HTMLElement): IssueState {
  return column.dataset['state'] as IssueState
}

function urgencyOf(card: HTMLElement): Urgency {
  const priority = card.querySelector<HTMLElement>('[data-value]')?.dataset['value'] as IssuePriority
  return { id: idOf(card), priority }
}

/** Rings a card for a moment, when it is in its new column. */
async function ringLanded(board: HTMLElement, id: number, state: IssueState): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const card = board.querySelector<HTMLElement>(`[data-state="${state}"] [data-issue="${id}"]`)
    if (card === null) continue
    card.animate({ outline: ['2px solid var(--accent)', '2px solid transparent'] }, 600)
    return
  }
}

function idOf(card: HTMLElement): number {
  return Number(card.dataset['issue'])
}
