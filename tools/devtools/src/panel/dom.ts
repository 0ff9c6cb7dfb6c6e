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
  element.append(
    ...children.filter((child): child is Node | string => child !== undefined && child !== false).map(toNode),
  )
  return element
}

function toNode(child: Node | string | number): Node | string {
  return typeof child === 'number' ? String(child) : child
}

/** The height of each row of a list, in pixels. */
const rowHeight = 28

/** A list that renders only the rows in view. */
export interface RowList {
  readonly element: HTMLElement
  /** Shows other rows. Rows in view are rendered again. */
  show(count: number, render: (index: number) => HTMLElement): void
  /** Scrolls to the end. */
  toEnd(): void
  readonly isAtEnd: boolean
}

/** Makes a list that renders only the rows in view. @param label - for screen readers */
export function rowList(label: string): RowList {
  const rows = h('ul', { class: 'rows' })
  const space = h('div', { class: 'space' }, rows)
  const element = h('div', { class: 'list', role: 'region', 'aria-label': label, tabindex: 0 }, space)
  let count = 0
  let render: (index: number) => HTMLElement = () => h('li')
  const draw = () => {
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - 5)
    const shown = Math.ceil((element.clientHeight || 300) / rowHeight) + 10
    const focused = (element.getRootNode() as ShadowRoot).activeElement
      ?.closest('li')
      ?.getAttribute('data-index')
    rows.style.transform = `translateY(${first * rowHeight}px)`
    rows.replaceChildren(
      ...Array.from({ length: Math.max(0, Math.min(shown, count - first)) }, (_, index) => {
        const item = render(first + index)
        item.setAttribute('data-index', String(first + index))
        item.setAttribute('aria-posinset', String(first + index + 1))
        item.setAttribute('aria-setsize', String(count))
        return item
      }),
    )
    if (focused != null)
      rows.querySelector<HTMLElement>(`[data-index="${focused}"] button`)?.focus({ preventScroll: true })
  }
  element.addEventListener('scroll', draw, { passive: true })
  element.addEventListener('keydown', (event) => {
    const place = (event.target as Element).closest('li')?.getAttribute('data-index')
    if (place == null) return
    const next = { ArrowDown: Number(place) + 1, ArrowUp: Number(place) - 1, Home: 0, End: count - 1 }[
      event.key
    ]
    if (next === undefined) return
    event.preventDefault()
    if (next < 0 || next >= count) return
    const below = (next + 1) * rowHeight - element.clientHeight
    element.scrollTop = Math.max(below, Math.min(element.scrollTop, next * rowHeight))
    draw()
    rows.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus({ preventScroll: true })
  })
  return {
    element,
    show(total, make) {
      count = total
      render = make
      space.style.height = `${count * rowHeight}px`
      draw()
    },
    toEnd() {
      element.scrollTop = element.scrollHeight
      draw()
    },
    get isAtEnd() {
      return element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight
    },
  }
}
