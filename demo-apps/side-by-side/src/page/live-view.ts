import { Controller } from '@selfsame/core'
import { connect } from '@selfsame/core/live'
import { createApi } from '@selfsame/demo-shared'
import type { Price } from '@selfsame/demo-shared'
import { articleResource, controller, getPrices, restPrefix } from '../api.js'
import { findArticles } from '../articles.js'
import { elementById } from './element-by-id.js'
import { network } from './network.js'

/** Another client of the server. Its changes reach this page only through the server. */
const other = new Controller()
const { articleResource: articlesOfOther } = createApi({ urlPrefix: restPrefix })

const amountFormat = new Intl.NumberFormat('en', { minimumFractionDigits: 2 })

const burstLength = 10_000

/** A burst of prices, and the state before it. */
interface Burst {
  readonly received: number
  readonly notifications: number
  /** As `performance.now()`. */
  readonly startedAt: number
}

/** Shows the prices without a framework, and handles the buttons beside them. */
export function showLive(): void {
  const list = elementById('prices')
  let notifications = 0
  let received = 0
  /** The number of the last price before this page was opened. */
  let before: number | undefined
  let burst: Burst | undefined
  controller.subscribe(getPrices, ({ data, fetching }) => {
    // A reset removed the data, so it is fetched again.
    if (data === undefined && !fetching) return readPrices()
    if (data === undefined) return
    showPrices(list, data)
    const newest = Math.max(0, ...data.map(({ sequence }) => sequence))
    // A reset of the server begins at zero.
    if (before === undefined || newest < before) before = newest
    received = newest - before
    if (received > 0) notifications++
    elementById('message-count').textContent = received.toLocaleString('en')
    elementById('notification-count').textContent = notifications.toLocaleString('en')
    if (burst === undefined || received < burst.received + burstLength) return
    elementById('burst-result').textContent = resultOf(burst, notifications - burst.notifications)
    burst = undefined
  })
  readPrices()
  let disconnect: (() => void) | undefined
  const follow = () => {
    if (network.isOnline()) disconnect ??= connect(controller, getPrices)
    else {
      disconnect?.()
      disconnect = undefined
    }
  }
  network.subscribe(follow)
  follow()

  elementById('burst').addEventListener('click', () => {
    burst = { received, notifications, startedAt: performance.now() }
    return fetch(`${restPrefix}/_ticker`, { method: 'POST', body: JSON.stringify({ ticks: burstLength }) })
  })
  elementById('edit-elsewhere').addEventListener('click', async () => {
    const [article] = findArticles(controller.read(articleResource.getList).data ?? [], '')
    if (article === undefined) return
    const title = `Edited elsewhere at ${new Date().toLocaleTimeString('en-GB')}`
    await other.fetch(articlesOfOther.partialUpdate, { id: article.id }, { title }).catch(() => {})
  })
}

function resultOf({ startedAt }: Burst, notifications: number): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const count = notifications.toLocaleString('en')
  return `${burstLength.toLocaleString('en')} prices were stored in ${seconds} s. They caused ${count} notifications, so the list was drawn ${count} times. The panes show no prices, so they did not re-render.`
}

function readPrices(): void {
  // An error is ignored: a reset or a reload fetches again.
  controller.fetchIfStale(getPrices).catch(() => {})
}

function showPrices(list: HTMLElement, prices: readonly Price[]): void {
  for (const { symbol, amount } of prices) {
    let item = list.querySelector<HTMLElement>(`[data-symbol="${symbol}"]`)
    if (item === null) {
      item = document.createElement('li')
      item.dataset.symbol = symbol
      item.append(document.createElement('span'), document.createElement('strong'))
      list.append(item)
    }
    const [name, value] = item.children
    if (name !== undefined) name.textContent = symbol
    if (value !== undefined) value.textContent = amountFormat.format(amount)
  }
}
