import type { App as VueApp } from 'vue'
import type { Controller } from '@selfsame/core'
export declare const visitor: Request
export declare const left: AbortController
export declare function fetchFor(visitor: Request): typeof fetch
export declare function createPage(controller: Controller): VueApp
