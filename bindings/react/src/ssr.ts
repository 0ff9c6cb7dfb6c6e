export { createServerRequest } from './ssr/server-request.js'
export type {
  NodeWritable,
  PipeableRendering,
  ServerRequest,
  ServerRequestOptions,
} from './ssr/server-request.js'
export { hydrateAsItArrives } from './ssr/arriving-page.js'
