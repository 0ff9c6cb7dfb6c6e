import { Entity, Query, schema } from '@selfsame/core'
import type { Controller } from '@selfsame/core'

export class CartLine extends Entity {
  productId = 0
  quantity = 0
  override pk() {
    return this.productId
  }
  static override key = 'CartLine'
}

export const cart = new Query(new schema.All(CartLine), (lines) =>
  lines.filter(({ quantity }) => quantity > 0),
)

export const addToCart = (controller: Controller, productId: number) =>
  controller.set(CartLine, { productId }, (line) => ({
    quantity: (line?.quantity ?? 0) + 1,
  }))

// Call it once, where the Controller is made.
export const keepCart = (controller: Controller) =>
  controller.subscribe(cart, () => {})
