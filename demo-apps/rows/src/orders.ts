import { Entity, schema } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { from } from '@selfsame/core/maintained'

export class Order extends Entity {
  id = 0
  customer = ''
  state: 'open' | 'paid' = 'open'
  amount = 0
  static override key = 'Order'
}

/** A part of the orders in a state, with their number. */
export const orders = from(Order).where('state').orderBy('amount', 'descending').orderBy('id').window()

export const count = 100_000
const batchLength = 2000

let seed = 1

/** Returns a number from 0 up to `end`, which is not included: the same ones in each run. */
function random(end: number): number {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * end)
}

function orderOf(id: number) {
  const state: Order['state'] = random(2) === 0 ? 'open' : 'paid'
  return { id, customer: `Customer ${random(5000)}`, state, amount: random(1_000_000) / 100 }
}

/** Stores all orders, a part of them in each task. */
export async function loadOrders(controller: Controller, tell: (loaded: number) => void): Promise<void> {
  for (let first = 0; first < count; first += batchLength) {
    const batch = Array.from({ length: batchLength }, (_, index) => orderOf(first + index + 1))
    controller.set(new schema.All(Order), {}, batch)
    tell(first + batchLength)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** Changes an order, as a message would. */
export function changeOrder(controller: Controller): void {
  const { id, state, amount } = orderOf(1 + random(count))
  controller.set(Order, { id }, { state, amount })
}
