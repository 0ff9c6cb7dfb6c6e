import type { App as VueApp } from 'vue'
export declare const app: VueApp
export declare const recorded: string
