import type { Readable } from 'svelte/store'
import type { Component } from 'svelte'
export declare const App: Component<{ id: number }>
export declare const limit: number
export declare const fetchAsUser: typeof fetch
export declare const paramsStore: Readable<{ id: number }>
export { search } from './entities.js'
