'use client'

export { useCache } from './legacy/use-cache.js'
export { useError } from './legacy/use-error.js'
export { useFetcher } from './legacy/use-fetcher.js'
export { useInvalidator } from './legacy/use-invalidator.js'
export { useResetter } from './legacy/use-resetter.js'
export { useResource } from './legacy/use-resource.js'
export { useRetrieve } from './legacy/use-retrieve.js'
