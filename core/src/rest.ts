export { RestEndpoint } from './rest/rest-endpoint.js'
export type { RestEndpointClass } from './rest/rest-endpoint.js'
export { createResource } from './rest/resource.js'
export type { RecordBody, Resource, ResourceExtraOptions, ResourceOptions } from './rest/resource.js'
export { NetworkError } from './rest/network-error.js'
export type { ListPath, PathParams, PathValue } from './rest/path-types.js'
export type {
  AnyBody,
  AnySearchParams,
  Extended,
  RestArgs,
  RestOptions,
  RestValue,
} from './rest/rest-types.js'
export type { SearchValue } from './rest/search-params.js'
