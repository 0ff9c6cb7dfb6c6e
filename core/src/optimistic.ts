export { optimistic } from './optimistic/optimistic.js'
export type { Optimistic } from './optimistic/optimistic.js'
export type { CacheSnapshot, OptimisticResponse } from './endpoint/endpoint.js'
