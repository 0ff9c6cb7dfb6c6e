import type { Controller } from '@selfsame/core'
import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from '@tanstack/virtual-core'
import { orders } from './orders.js'
import type { Order } from './orders.js'

const rowHeight = 32

/** The state to show; `undefined` for all. */
type State = Order['state'] | undefined

/** The rows on screen: parts of the query that the virtualizer names. */
export class Table {
  notifications = 0
  rendered = 0
  total = 0
  readonly #controller: Controller
  readonly #scroller: HTMLElement
  readonly #rows: HTMLElement
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>
  readonly #shown = new Map<number, { readonly order: Order; readonly element: HTMLElement }>()
  #state: State
  #window: readonly [from: number, to: number] = [0, 0]
  #end = () => {}

  constructor(controller: Controller, scroller: HTMLElement, rows: HTMLElement) {
    this.#controller = controller
    this.#scroller = scroller
    this.#rows = rows
    this.#virtualizer = new Virtualizer(this.#options(0))
    // What an adapter of a framework calls.
    // eslint-disable-next-line eslint/no-underscore-dangle
    this.#virtualizer._didMount()
  }

  show(state: State): void {
    this.#state = state
    this.#open([0, 30])
    this.#scroller.scrollTop = 0
    this.#follow()
  }

  #options(count: number) {
    return {
      count,
      getScrollElement: () => this.#scroller,
      estimateSize: () => rowHeight,
      overscan: 5,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.#follow(),
    }
  }

  /** Shows the part that the virtualizer names. */
  #follow(): void {
    const items = this.#virtualizer.getVirtualItems()
    const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 29]
    if (first !== this.#window[0] || last + 1 !== this.#window[1]) this.#open([first, last + 1])
  }

  #open(window: readonly [from: number, to: number]): void {
    this.#end()
    this.#window = window
    const args = { window, ...(this.#state && { state: this.#state }) }
    this.#end = this.#controller.subscribe(orders, args, () => {
      this.notifications++
      this.#render()
    })
    this.#render()
  }

  #render(): void {
    const args = { window: this.#window, ...(this.#state && { state: this.#state }) }
    const { items, from, total } = this.#controller.get(orders, args) ?? { items: [], from: 0, total: 0 }
    if (total !== this.total) {
      this.total = total
      this.#virtualizer.setOptions(this.#options(total))
      // eslint-disable-next-line eslint/no-underscore-dangle
      this.#virtualizer._willUpdate()
      this.#rows.style.height = `${this.#virtualizer.getTotalSize()}px`
    }
    for (const [place, { element }] of this.#shown) {
      if (place >= from && place < from + items.length) continue
      element.remove()
      this.#shown.delete(place)
    }
    for (const [index, order] of items.entries()) this.#renderRow(from + index, order)
  }

  /** Renders a row, unless it shows the selfsame order. */
  #renderRow(place: number, order: Order): void {
    const shown = this.#shown.get(place)
    if (shown?.order === order) return
    this.rendered++
    const element = shown?.element ?? this.#rows.appendChild(rowAt(place))
    const texts = [`${place + 1}`, order.customer, order.state, order.amount.toFixed(2)]
    for (const [index, text] of texts.entries()) (element.children[index] as HTMLElement).textContent = text
    this.#shown.set(place, { order, element })
  }
}

function rowAt(place: number): HTMLElement {
  const row = document.createElement('div')
  row.className = 'row'
  row.style.transform = `translateY(${place * rowHeight}px)`
  row.append(...Array.from({ length: 4 }, () => document.createElement('span')))
  return row
}
