import type { App as VueApp } from 'vue'
export { useCache } from '@selfsame/vue'
export declare const app: VueApp
