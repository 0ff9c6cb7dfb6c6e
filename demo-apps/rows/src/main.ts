import { Controller } from '@selfsame/core'
import { Meter } from './meter.js'
import { changeOrder, loadOrders } from './orders.js'
import type { Order } from './orders.js'
import { Table } from './table.js'

const element = (id: string) => document.getElementById(id) as HTMLElement
const show = (id: string, value: number) => (element(id).textContent = value.toLocaleString('en'))

const controller = new Controller()
const meter = new Meter()
const rate = element('rate') as HTMLSelectElement
const state = element('state') as HTMLSelectElement
const scroller = element('table')
let changes = 0

await loadOrders(controller, (loaded) => {
  element('status').textContent = `${loaded.toLocaleString('en')} orders loaded`
})
const table = new Table(controller, scroller, element('rows'))
table.show(undefined)
// The first read and the first change make what later ones use.
changeOrder(controller)
await new Promise((resolve) => setTimeout(resolve, 200))
meter.begin()
element('status').textContent = 'Ready'

state.addEventListener('change', () => table.show((state.value || undefined) as Order['state'] | undefined))
element('scroll').addEventListener('click', () => {
  const isOn = element('scroll').getAttribute('aria-pressed') !== 'true'
  element('scroll').setAttribute('aria-pressed', String(isOn))
})

let last = performance.now()
let due = 0

/** As many changes as the time since the last frame brings. */
function frame(now: number): void {
  due += ((now - last) / 1000) * Number(rate.value)
  last = now
  meter.measure(() => {
    for (; due >= 1; due--) {
      changeOrder(controller)
      changes++
    }
    if (element('scroll').getAttribute('aria-pressed') === 'true') scroller.scrollTop += 40
  })
  requestAnimationFrame(frame)
}
requestAnimationFrame(frame)

setInterval(() => {
  show('total', table.total)
  show('changes', changes)
  show('notifications', table.notifications)
  show('rendered', table.rendered)
  show('frames', meter.framesInSecond)
  show('longest', Math.round(meter.longest * 10) / 10)
  show('long-tasks', meter.longTasks)
}, 250)
