import { read, write } from '../stage.js'
import type { Panel, Stage, Tab } from '../stage.js'
import { callsTab } from './calls.js'
import { h } from './dom.js'
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

const docks = ['bottom', 'right', 'float', 'window'] as const
type Dock = (typeof docks)[number]

/** The time between two looks at ages while nothing changes, in milliseconds. */
const lookMs = 1000

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
    { role: 'tablist', 'aria-label': `${stage.name} panel`, style: 'display:flex' },
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
  const panel = h(
    'section',
    {
      class: 'panel',
      'data-dock': close === undefined ? 'shell' : dock,
      'aria-label': `${stage.name} panel`,
    },
    h('header', {}, h('strong', {}, stage.name), tabList, h('span', { class: 'grow' }), ...ownControls),
    content,
  )
  panel.addEventListener('keydown', (event) => {
    // The page's own shortcuts do not act on what is typed here.
    event.stopPropagation()
    if (event.key === 'Escape') close?.()
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
    content.replaceChildren(...shown.element.childNodes)
    shown.refresh()
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
  const endRecording = stage.recording.subscribe(() => {
    if (frame === 0)
      frame = requestAnimationFrame(() => {
        frame = 0
        shown.refresh()
      })
  })
  return () => {
    isEnded = true
    clearInterval(timer)
    cancelAnimationFrame(frame)
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
