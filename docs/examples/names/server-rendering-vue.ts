export { createServerRequest } from '@selfsame/vue/ssr'
export type { IncomingMessage, ServerResponse } from 'node:http'
export { createPage } from '../vue-server/app.js'
import type { IncomingMessage as Visitor } from 'node:http'
export declare function fetchFor(visitor: Visitor): typeof fetch
