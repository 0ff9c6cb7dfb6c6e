import type { Issue } from '../../issue.js'
import { numberOf } from './changes.js'
import { dialogs } from './dialogs.js'
import { stateOf } from './words.js'

/** What the keyboard does, for the help. */
export const shortcuts = [
  { keys: ['Ctrl', 'K'], does: 'Open the command palette (⌘K on a Mac)' },
  { keys: ['C'], does: 'Create an issue' },
  { keys: ['/'], does: 'Search' },
  { keys: ['G', 'B'], does: 'Go to the board' },
  { keys: ['G', 'I'], does: 'Go to the issues' },
  { keys: ['↑', '↓', '←', '→'], does: 'Move between issues' },
  { keys: ['Shift', '→'], does: 'Move the issue to the next column' },
  { keys: ['?'], does: 'Show this help' },
] as const

/** A command of the palette. `path` is a screen to go to. */
export interface Command {
  readonly name: string
  readonly icon: string
  readonly path?: string
  readonly run?: () => void
}

/** The commands of the palette. */
const commands: readonly Command[] = [
  { name: 'Create an issue', icon: 'plus', run: () => dialogs.open('new-issue') },
  { name: 'Go to the board', icon: 'square-kanban', path: '/' },
  { name: 'Go to the issues', icon: 'list-todo', path: '/issues' },
  { name: 'Unassigned issues', icon: 'user', path: '/issues?assignee=none' },
  { name: 'Go to the people', icon: 'users', path: '/people' },
  { name: 'Go to the journal', icon: 'book-open', path: '/journal' },
  { name: 'Go to the articles', icon: 'newspaper', path: '/articles' },
  { name: 'Your profile', icon: 'user', path: '/profile' },
  { name: 'Keyboard shortcuts', icon: 'keyboard', run: () => dialogs.open('help') },
]

/** How many issues the palette shows. */
const most = 8

/** The commands and issues whose names have the words that the user typed. */
export function optionsOfPalette(text: string, issues: readonly Issue[]): readonly Command[] {
  const wanted = text.trim().toLowerCase()
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const hasWords = (name: string) => words.every((word) => name.toLowerCase().includes(word))
  const found = commands.filter(({ name }) => hasWords(name))
  if (words.length === 0) return found
  const named = issues.map((issue) => ({
    name: `${numberOf(issue)} ${issue.title}`,
    icon: stateOf(issue.state).icon,
    path: `/issues/${issue.id}`,
  }))
  const rank = ({ name }: Command) => rankOf(name.toLowerCase(), wanted)
  const ranked = (options: readonly Command[]) => options.toSorted((a, b) => rank(a) - rank(b))
  return ranked([...found, ...ranked(named.filter(({ name }) => hasWords(name))).slice(0, most)])
}

/** What begins with the text comes first, then what has a word that does, then what contains it anywhere. */
function rankOf(name: string, wanted: string): number {
  const title = name.replace(/^(#\d+|new) /, '')
  if (name.startsWith(wanted) || title.startsWith(wanted)) return 0
  return ` ${title}`.includes(` ${wanted}`) ? 1 : 2
}

/** Listens for the shortcuts of all screens. @returns a function that ends it */
export function listenForShortcuts(navigate: (path: string) => void): () => void {
  const ended = new AbortController()
  let isAfterG = false
  const onKey = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase()
    if ((event.ctrlKey || event.metaKey) && key === 'k') {
      event.preventDefault()
      return dialogs.open('palette')
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (dialogs.current() !== undefined || document.querySelector('dialog[open]') !== null) return
    const path = isAfterG ? { b: '/', i: '/issues' }[key] : undefined
    isAfterG = key === 'g'
    const search = document.querySelector<HTMLElement>('main input[type=search]')
    if (path !== undefined) navigate(path)
    else if (key === 'c') dialogs.open('new-issue')
    else if (key === '?') dialogs.open('help')
    else if (key === '/' && search !== null) search.focus()
    else return
    event.preventDefault()
  }
  addEventListener('keydown', onKey, { signal: ended.signal })
  return () => ended.abort()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=radio]), textarea, select')
}
