export { Price } from '../live.js'
export interface PriceMessage {
  symbol: string
  amount: number
}
export declare const device: {
  status(id: string): Promise<string>
  onStatus(id: string, listener: (status: string) => void): () => void
}
