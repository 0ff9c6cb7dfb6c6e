import { Entity } from '@selfsame/core'

export class Price extends Entity {
  symbol = ''
  amount = 0
  /** The number of the price, counted over all symbols. */
  sequence = 0

  override pk(): string {
    return this.symbol
  }

  static override readonly key = 'Price'
}
