export declare const ids: number[]
export declare const listId: number | undefined
export declare const props: { readonly id: number }
export declare function render(title?: string): void
export { authorResource, postResource } from '../guides/posts.js'
