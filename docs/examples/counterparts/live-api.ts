// live-api.ts
import { Entity } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'

export class Price extends Entity {
  symbol = ''
  amount = 0
  override pk() {
    return this.symbol
  }
  static override key = 'Price'
}

export const getPrice = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/price/:symbol',
  schema: Price,
  pollFrequency: 10_000,
})
