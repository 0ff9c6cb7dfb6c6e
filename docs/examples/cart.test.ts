import { Controller } from '@selfsame/core'
import { TestClock } from '@selfsame/core/testing'
import { expect, test } from 'vitest'
import { addToCart, cart, keepCart } from './guides/cart.js'

/** The quantities of the cart after an hour in which no page showed it. */
async function quantitiesAfterAnHour(
  prepare: (controller: Controller) => void,
): Promise<number[] | undefined> {
  const clock = new TestClock()
  const controller = new Controller({ clock })
  prepare(controller)
  addToCart(controller, 5)
  addToCart(controller, 5)
  for (let minute = 0; minute < 60; minute++) {
    clock.advance(60_000)
    // Garbage is collected in macrotasks.
    await new Promise((resolve) => setTimeout(resolve))
  }
  const lines = controller.get(cart)
  controller.dispose()
  return lines?.map(({ quantity }) => quantity)
}

test('a cart that is kept is there when it is shown again', async () => {
  expect(await quantitiesAfterAnHour(keepCart)).toEqual([2])
})

test('a cart that nothing reads is dropped', async () => {
  expect(await quantitiesAfterAnHour(() => {})).toEqual([])
})
