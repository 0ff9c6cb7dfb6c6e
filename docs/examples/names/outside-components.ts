import type { App as VueApp } from 'vue'
export { createMemoryRouter } from 'react-router'
export declare const app: VueApp
