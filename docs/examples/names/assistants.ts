export { Post } from './entities.js'
export { getList } from './lists.js'
export declare function render(title?: string): void
