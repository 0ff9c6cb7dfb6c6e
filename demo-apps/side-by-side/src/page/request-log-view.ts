import { restPrefix, requestLog } from '../api.js'
import { elementById } from './element-by-id.js'
import type { LoggedRequest } from './request-log.js'

/** Shows the log at the top of the page. */
export function showRequestLog(): void {
  const count = elementById('request-count')
  const list = elementById('request-list')
  elementById('clear-log').addEventListener('click', () => requestLog.clear())
  const show = () => {
    count.textContent = String(requestLog.count)
    list.replaceChildren(...requestLog.requests.map(toItem))
  }
  requestLog.subscribe(show)
  show()
}

function toItem({ method, url, outcome, duration }: LoggedRequest): HTMLLIElement {
  const item = document.createElement('li')
  item.dataset['outcome'] = outcome === undefined ? 'pending' : isSuccess(outcome) ? 'success' : 'failure'
  item.append(
    toCell('method', method),
    toCell('url', decodeURIComponent(url.slice(restPrefix.length))),
    toCell('outcome', String(outcome ?? '…')),
    toCell('duration', duration === undefined ? '' : `${Math.round(duration)} ms`),
  )
  return item
}

function toCell(name: string, text: string): HTMLSpanElement {
  const cell = document.createElement('span')
  cell.className = name
  cell.textContent = text
  return cell
}

function isSuccess(outcome: number | 'failed'): boolean {
  return outcome !== 'failed' && outcome < 400
}
