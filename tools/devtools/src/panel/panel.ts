import { read, write } from '../stage.js'
import type { Panel, Stage, Tab } from '../stage.js'
import { callsTab } from './calls.js'
import { h, handle } from './dom.js'
import { layersTab } from './layers.js'
import { networkTab } from './network.js'
import { recordsTab } from './records.js'
import { style } from './style.js'
import { timelineTab } from './timeline.js'

const tabs = {
  Calls: callsTab,
  Records: recordsTab,
  Timeline: timelineTab,
  Layers: layersTab,
  Network: networkTab,
} satisfies Record<string, (panel: Panel, target?: string) => Tab>
type Name = keyof typeof tabs

/** What is remembered of sizes, in pixels: each is a custom property of the panel. */
const sizes = ['height', 'width', 'side', 'top'] as const

const docks = ['bottom', 'right', 'float', 'window'] as const
type Dock = (typeof docks)[number]

/** The time between two looks at ages while nothing changes, in milliseconds. */
const lookMs = 1000

/** A look that takes longer than this waits before the next, so that the page has most of the time: milliseconds. */
const quickMs = 8

/** Shows the panel: over the page, or in the whole of a tab of a shell. @returns a function that removes it */
export function showPanel(root: ShadowRoot, stage: Stage): () => void {
  const { close } = stage
  const place = read()
  let tab = (place['tab'] as Name | undefined) ?? 'Calls'
  if (!Object.hasOwn(tabs, tab)) tab = 'Calls'
  let dock = (place['dock'] as Dock | undefined) ?? 'bottom'
  if (dock === 'window' || !docks.includes(dock)) dock = 'bottom'
  let shown: Tab
  let popup: Window | null = null
  let isEnded = false

  const content = h('div', { class: 'content', id: 'content', role: 'tabpanel' })
  const tabList = h(
    'div',
    { role: 'tablist', 'aria-label': `${stage.name} panel` },
    ...Object.keys(tabs).map((name) =>
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          'data-tab': name,
          'aria-controls': 'content',
          onclick: () => open(name as Name),
        },
        name,
      ),
    ),
  )
  tabList.addEventListener('keydown', (event) => {
    const names = Object.keys(tabs) as Name[]
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    open(names[(names.indexOf(tab) + step + names.length) % names.length] as Name)
    tabList.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  })
  const dockSelect = h(
    'select',
    { 'aria-label': 'Place of the panel', onchange: () => move(dockSelect.value as Dock) },
    ...docks.map((name) => h('option', { value: name, selected: name === dock }, name)),
  )
  const ownControls =
    close === undefined
      ? []
      : [dockSelect, h('button', { type: 'button', 'aria-label': 'Close the panel', onclick: close }, '✕')]
  // Between the list and the details, and at the edge of the panel.
  const isNarrow = () => panel.clientWidth <= 640
  const splitter = handle(
    'Resize the list',
    isNarrow,
    () => {
      const side = content.firstElementChild as HTMLElement
      return isNarrow() ? side.clientHeight : side.clientWidth
    },
    (pixels) => resize(isNarrow() ? 'top' : 'side', pixels),
    1,
  )
  const edge = handle(
    'Resize the panel',
    () => dock === 'bottom',
    () => (dock === 'bottom' ? panel.offsetHeight : panel.offsetWidth),
    (pixels) => resize(dock === 'bottom' ? 'height' : 'width', pixels),
    -1,
  )
  edge.classList.add('edge')
  const panel = h(
    'section',
    {
      class: 'panel',
      'data-dock': close === undefined ? 'shell' : dock,
      'aria-label': `${stage.name} panel`,
    },
    h('header', {}, h('strong', {}, stage.name), tabList, h('span', { class: 'grow' }), ...ownControls),
    content,
    edge,
  )
  for (const name of sizes) {
    const pixels = place[name]
    if (typeof pixels === 'number') panel.style.setProperty(`--${name}`, `${pixels}px`)
  }
  function resize(name: (typeof sizes)[number], pixels: number): void {
    panel.style.setProperty(`--${name}`, `${pixels}px`)
    write({ ...read(), [name]: pixels })
    shown.refresh()
  }
  panel.addEventListener('keydown', (event) => {
    // The page's own shortcuts do not act on what is typed here.
    event.stopPropagation()
    const field = event.composedPath()[0] as HTMLElement
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(field.tagName)
    if (event.key === 'Escape') {
      if (field instanceof HTMLInputElement && field.value !== '') {
        field.value = ''
        field.dispatchEvent(new Event('input'))
      } else close?.()
    }
    if (event.key === '/' && !isTyping) {
      event.preventDefault()
      content.querySelector<HTMLElement>('input[type=search]')?.focus()
    }
    const number = Number(event.key)
    const name =
      isTyping || event.ctrlKey || event.metaKey || event.altKey ? undefined : Object.keys(tabs)[number - 1]
    if (name !== undefined) {
      open(name as Name)
      tabList.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
    }
    if (event.altKey && event.shiftKey && event.code === 'KeyS') close?.()
  })

  const self: Panel = { ...stage, go: (name, target) => open(name as Name, target) }

  function open(name: Name, target?: string): void {
    tab = name
    write({ ...read(), tab, dock })
    for (const button of tabList.children) {
      const isSelected = button.getAttribute('data-tab') === name
      button.setAttribute('aria-selected', String(isSelected))
      button.setAttribute('tabindex', isSelected ? '0' : '-1')
    }
    content.setAttribute('aria-label', name)
    shown = tabs[name](self, target)
    const [side, ...detail] = shown.element.childNodes
    content.replaceChildren(...(side === undefined ? [] : [side]), splitter, ...detail)
    splitter.hidden = detail.length === 0
    shown.refresh()
    // What led here may be gone with the tab before.
    if (target !== undefined) content.querySelector<HTMLElement>('.detail')?.focus({ preventScroll: true })
  }

  function move(next: Dock): void {
    dock = next
    panel.setAttribute('data-dock', dock)
    write({ ...read(), tab, dock })
    const old = popup
    popup = null
    if (dock === 'window') {
      popup = window.open('', 'selfsame-devtools', 'popup,width=900,height=560')
      if (popup === null) return move('bottom')
      popup.document.title = stage.name
      addStyle(popup.document, popup as Window & typeof globalThis)
      popup.document.body.replaceChildren(panel)
      popup.addEventListener('pagehide', () => {
        if (popup !== null && !isEnded) move('bottom')
      })
    } else {
      root.append(panel)
      dockSelect.value = dock
      old?.close()
    }
    shown.refresh()
  }

  const removeStyle = addStyle(root, window)
  root.append(panel)
  open(tab)
  // Ages run on while nothing changes.
  const timer = setInterval(() => shown.refresh(), lookMs)
  let frame = 0
  let pause: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    if (frame === 0 && pause === undefined)
      frame = requestAnimationFrame(() => {
        frame = 0
        const start = performance.now()
        shown.refresh()
        const tookMs = performance.now() - start
        if (tookMs < quickMs) return
        let isAskedAgain = false
        const endWaiting = stage.recording.subscribe(() => (isAskedAgain = true))
        pause = setTimeout(() => {
          pause = undefined
          endWaiting()
          if (isAskedAgain && !isEnded) look()
        }, tookMs * 4)
      })
  }
  const endRecording = stage.recording.subscribe(look)
  return () => {
    isEnded = true
    clearInterval(timer)
    cancelAnimationFrame(frame)
    clearTimeout(pause)
    endRecording()
    popup?.close()
    removeStyle()
    panel.remove()
  }
}

/** Adds the style as a sheet, which a strict Content-Security-Policy allows. @returns a function that removes it */
function addStyle(
  root: DocumentOrShadowRoot,
  { CSSStyleSheet }: Pick<typeof globalThis, 'CSSStyleSheet'>,
): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets.push(sheet)
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}
