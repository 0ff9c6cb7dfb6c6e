import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from '@tanstack/virtual-core'
import { controller, getMessages, receiveMessage } from './messages.js'
import type { Message } from './messages.js'

/** The height of a message before it is measured, in pixels. */
const estimate = 48
/** Older messages are fetched when fewer than these are in front of the screen. */
const ahead = 5

const scroller = document.getElementById('chat') as HTMLElement
const sheet = document.getElementById('messages') as HTMLElement
const shown = new Map<number, HTMLElement>()
let messages: readonly Message[] = []
let isLoading = false
let isRendering = false

const options = () => ({
  count: messages.length,
  // Measured heights belong to messages, not to their places.
  getItemKey: (index: number) => messages[index]?.id ?? index,
  getScrollElement: () => scroller,
  estimateSize: () => estimate,
  overscan: 5,
  scrollToFn: elementScroll,
  observeElementRect,
  observeElementOffset,
  onChange: render,
})
const virtualizer = new Virtualizer<HTMLElement, HTMLElement>(options())

/** Shows other messages. The one at the top of the screen stays where it is; at the end, the newest is shown. */
function show(next: readonly Message[]): void {
  const { scrollTop, clientHeight, scrollHeight } = scroller
  const isAtEnd = scrollTop + clientHeight >= scrollHeight - estimate / 2
  const anchor = virtualizer.measurementsCache.find(({ end }) => end > scrollTop)
  messages = next
  virtualizer.setOptions(options())
  // What an adapter of a framework calls.
  // eslint-disable-next-line eslint/no-underscore-dangle
  virtualizer._willUpdate()
  const height = virtualizer.getTotalSize()
  sheet.style.height = `${height}px`
  const moved = virtualizer.measurementsCache.find(({ key }) => key === anchor?.key)
  if (isAtEnd || anchor === undefined || moved === undefined) scrollTo(height)
  else if (moved.start !== anchor.start) scrollTo(scrollTop + moved.start - anchor.start)
  render()
  if (isAtEnd) scrollTo(virtualizer.getTotalSize())
}

/** Scrolls before the next frame is painted. */
function scrollTo(top: number): void {
  scroller.scrollTop = top
  // The event comes later.
  virtualizer.scrollOffset = scroller.scrollTop
}

/** Renders the visible messages, and again if their heights are others than estimated. */
function render(): void {
  if (isRendering) return
  isRendering = true
  let height
  do {
    height = virtualizer.getTotalSize()
    placeRows()
    for (const element of shown.values()) virtualizer.measureElement(element)
  } while (virtualizer.getTotalSize() !== height)
  isRendering = false
  const [first] = virtualizer.getVirtualItems()
  if (first !== undefined && first.index < ahead) void loadOlder()
}

function placeRows(): void {
  const items = virtualizer.getVirtualItems()
  sheet.style.height = `${virtualizer.getTotalSize()}px`
  const visible = new Set(items.map(({ key }) => key))
  for (const [id, element] of shown) {
    if (visible.has(id)) continue
    element.remove()
    shown.delete(id)
  }
  for (const { index, start } of items) {
    const message = messages[index]
    if (message === undefined) continue
    const element = shown.get(message.id) ?? makeRow(message)
    element.dataset['index'] = `${index}`
    element.style.transform = `translateY(${start}px)`
  }
}

function makeRow({ id, text }: Message): HTMLElement {
  const element = document.createElement('p')
  element.className = 'message'
  element.textContent = text
  sheet.append(element)
  shown.set(id, element)
  return element
}

async function loadOlder(): Promise<void> {
  const [first] = messages
  if (isLoading || first === undefined || first.id === 1) return
  isLoading = true
  await controller.fetch(getMessages.getPreviousPage, { before: first.id })
  isLoading = false
}

// eslint-disable-next-line eslint/no-underscore-dangle
virtualizer._didMount()
controller.subscribe(getMessages, ({ data = [] }) => show(data))
await controller.fetch(getMessages)
document.getElementById('receive')?.addEventListener('click', receiveMessage)
