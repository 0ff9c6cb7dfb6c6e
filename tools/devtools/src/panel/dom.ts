type Child = Node | string | number | undefined | false

type Props = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => void)>>

/**
 * Makes an element. A property that begins with `on` is a listener, `true` an empty attribute; `false` and `undefined` are
 * left out.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
    // A strict Content-Security-Policy refuses the attribute.
    else if (name === 'style') element.style.cssText = String(value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...nodesOf(children))
  return element
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) =>
    child === undefined || child === false ? [] : [typeof child === 'number' ? String(child) : child],
  )
}

/** The height of each row of a list, in pixels. */
const rowHeight = 28

/** What a row of a list shows. */
export interface Row {
  readonly isChosen: boolean
  readonly children: readonly Child[]
}

/** A list that renders only the rows in view. */
export interface RowList {
  readonly element: HTMLElement
  /** Shows other rows. The elements of rows in view stay, so that a click between two looks is not lost. */
  show(count: number, render: (index: number) => Row, choose: (index: number) => void): void
  /** Scrolls to the end. */
  toEnd(): void
  /** Scrolls to a row, if it is not in view. */
  reveal(index: number): void
  readonly isAtEnd: boolean
  /** `true` while the pointer is over it: rows must not move then. */
  readonly isPointedAt: boolean
}

/** Makes a list that renders only the rows in view. @param label - for screen readers */
export function rowList(label: string): RowList {
  const rows = h('ul', { class: 'rows' })
  const space = h('div', { class: 'space' }, rows)
  const element = h('div', { class: 'list', role: 'region', 'aria-label': label, tabindex: 0 }, space)
  const items = new Map<number, HTMLLIElement>()
  let count = 0
  let render: ((index: number) => Row) | undefined
  let choose: ((index: number) => void) | undefined

  const itemAt = (index: number): HTMLLIElement => {
    let item = items.get(index)
    if (item === undefined) {
      const button = h('button', { type: 'button', class: 'row', onclick: () => choose?.(index) })
      item = h('li', { 'data-index': index, 'aria-posinset': index + 1 }, button)
      items.set(index, item)
    }
    return item
  }
  const draw = () => {
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - 5)
    const end = Math.min(count, first + Math.ceil((element.clientHeight || 300) / rowHeight) + 10)
    rows.style.transform = `translateY(${first * rowHeight}px)`
    for (const [index, item] of items)
      if (index < first || index >= end) {
        item.remove()
        items.delete(index)
      }
    for (let index = first; index < end; index++) {
      const item = itemAt(index)
      const { isChosen = false, children = [] } = render?.(index) ?? {}
      const button = item.firstElementChild as HTMLButtonElement
      item.setAttribute('aria-setsize', String(count))
      button.setAttribute('aria-pressed', String(isChosen))
      button.replaceChildren(...nodesOf(children))
      // The others stay where they are, and keep the focus.
      const place = rows.children[index - first]
      if (place !== item) rows.insertBefore(item, place ?? null)
    }
  }
  const reveal = (index: number) => {
    const below = (index + 1) * rowHeight - element.clientHeight
    element.scrollTop = Math.max(below, Math.min(element.scrollTop, index * rowHeight))
    draw()
  }
  element.addEventListener('scroll', draw, { passive: true })
  element.addEventListener('keydown', (event) => {
    const place = (event.target as Element).closest('li')?.getAttribute('data-index') ?? '-1'
    const page = Math.max(1, Math.floor(element.clientHeight / rowHeight) - 1)
    const next = {
      ArrowDown: Number(place) + 1,
      ArrowUp: Number(place) - 1,
      PageDown: Math.min(count - 1, Number(place) + page),
      PageUp: Math.max(0, Number(place) - page),
      Home: 0,
      End: count - 1,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    if (next < 0 || next >= count) return
    reveal(next)
    choose?.(next)
    rows.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus({ preventScroll: true })
  })
  return {
    element,
    show(total, make, onChoose) {
      count = total
      render = make
      choose = onChoose
      space.style.height = `${count * rowHeight}px`
      draw()
    },
    toEnd() {
      element.scrollTop = element.scrollHeight
      draw()
    },
    reveal,
    get isAtEnd() {
      return element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight
    },
    get isPointedAt() {
      return element.matches(':hover')
    },
  }
}

/**
 * Makes a handle that resizes something: with the pointer, or with the arrow keys.
 *
 * @param isVertical - `true` if it changes a height
 * @param size - the size now, in pixels
 * @param resize - is called with another size
 */
export function handle(
  label: string,
  isVertical: () => boolean,
  size: () => number,
  resize: (pixels: number) => void,
  direction: 1 | -1,
): HTMLElement {
  const element = h('div', {
    class: 'handle',
    role: 'separator',
    tabindex: 0,
    'aria-label': label,
    'aria-valuenow': 50,
    onpointerdown: (event: PointerEvent) => {
      event.preventDefault()
      const axis = isVertical() ? 'clientY' : 'clientX'
      const [start, before] = [event[axis], size()]
      const move = (to: PointerEvent) => set(before + direction * (to[axis] - start))
      element.setPointerCapture(event.pointerId)
      element.addEventListener('pointermove', move)
      element.addEventListener('pointerup', () => element.removeEventListener('pointermove', move), {
        once: true,
      })
    },
    onkeydown: (event: KeyboardEvent) => {
      const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      set(size() + direction * step * 24)
    },
  })
  function set(pixels: number): void {
    const next = Math.max(80, Math.round(pixels))
    element.setAttribute('aria-valuenow', String(next))
    resize(next)
  }
  return element
}

/** A button that is pressed or not. */
export function chip(text: string, isPressed: boolean, onclick: () => void, kind = ''): HTMLElement {
  return h(
    'button',
    { type: 'button', class: `chip ${kind}`, 'aria-pressed': String(isPressed), onclick },
    text,
  )
}

/** A button that leads to something else of the panel. */
export function link(text: string, onclick: () => void): HTMLElement {
  return h('button', { type: 'button', class: 'link', onclick }, text)
}

/** A description and its term. */
export const pair = (term: string, ...value: readonly Child[]): HTMLElement[] => [
  h('dt', {}, term),
  h('dd', {}, ...value),
]

/** The sentences of an explanation. */
export function sentencesOf(text: string): HTMLElement {
  return h('div', { class: 'why' }, ...text.split('\n').map((sentence) => h('p', {}, sentence)))
}

/** What may be opened: closed at first. */
export function folded(summary: string, ...children: readonly Child[]): HTMLElement {
  return h('details', {}, h('summary', {}, summary), ...children)
}
