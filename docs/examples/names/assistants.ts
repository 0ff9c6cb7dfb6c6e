export { Issue, Post } from './entities.js'
export { getList } from './lists.js'
export declare function render(title?: string): void
export declare function log(...values: unknown[]): void
export declare const session: {
  userId: string | undefined
  readAgain(): void
}
