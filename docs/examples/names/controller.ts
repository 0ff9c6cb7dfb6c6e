export { getCount, rename } from './entities.js'
export { controller as inPage } from '../controller.js'
export declare const messages: { id: number; title: string }[]
export declare function render(title?: string): void
export declare function withCookies(init?: RequestInit): RequestInit
