import { restPrefix, requestLog } from '../api.js'
import { elementById } from './element-by-id.js'
import type { LogEntry, LoggedRequest } from './request-log.js'

/** Shows the log beside the panes, and the counters above them. */
export function showRequestLog(): void {
  const list = elementById('request-list')
  const items = new Map<number, { readonly entry: LogEntry; readonly item: HTMLLIElement }>()
  elementById('clear-log').addEventListener('click', () => requestLog.clear())

  /** The item of an entry: the same element until the entry changes. */
  const itemOf = (entry: LogEntry) => {
    const known = items.get(entry.number)
    if (known?.entry === entry) return known.item
    const item = toItem(entry)
    items.set(entry.number, { entry, item })
    return item
  }
  const show = () => {
    showCount('request-count', requestLog.count)
    elementById('request-noun').textContent = requestLog.count === 1 ? 'request' : 'requests'
    showCount('refetch-count', requestLog.refetches)
    showCount('saved-count', requestLog.saved)
    list.replaceChildren(...requestLog.entries.map(itemOf))
  }
  requestLog.subscribe(show)
  show()
}

function showCount(id: string, count: number): void {
  elementById(id).textContent = count.toLocaleString('en')
}

function toItem(entry: LogEntry): HTMLLIElement {
  const item = document.createElement('li')
  const { saved } = entry
  if (entry.kind === 'request') {
    item.dataset['outcome'] = nameOf(entry.outcome)
    item.append(toLine(entry))
    if (entry.why !== undefined) item.append(toElement('p', 'why', entry.why))
  } else {
    item.dataset['outcome'] = 'none'
    item.append(toElement('div', 'line', ''))
    item.firstElementChild?.append(
      toElement('span', 'method', 'Read'),
      toElement('span', 'url', pathOf(entry.url)),
      toElement('span', 'outcome', 'no request'),
    )
  }
  if (saved !== undefined) item.append(toElement('p', 'saved', saved.why))
  return item
}

function toLine({ method, url, outcome, duration }: LoggedRequest): HTMLElement {
  const line = toElement('div', 'line', '')
  line.append(
    toElement('span', 'method', method),
    toElement('span', 'url', pathOf(url)),
    toElement('span', 'outcome', String(outcome ?? '…')),
    toElement('span', 'duration', duration === undefined ? '' : `${Math.round(duration)} ms`),
  )
  return line
}

/** Without the search params, which are the same for all requests of a path. */
function pathOf(url: string): string {
  return new URL(url, location.href).pathname.slice(restPrefix.length)
}

function toElement(tag: string, className: string, text: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

function nameOf(outcome: LoggedRequest['outcome']): string {
  if (outcome === undefined) return 'pending'
  return outcome !== 'failed' && outcome < 400 ? 'success' : 'failure'
}
