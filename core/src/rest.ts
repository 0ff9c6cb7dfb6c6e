export { RestEndpoint } from './rest/rest-endpoint.js'
export { ConditionalEndpoint } from './rest/conditional-endpoint.js'
export type { RestEndpointClass } from './rest/rest-endpoint.js'
export { createResource, createResource as resource } from './rest/resource.js'
export { hookifyResource } from './rest/hookify-resource.js'
export type { HookifiedResource } from './rest/hookify-resource.js'
export type { HookRequestInit, InitSource } from './rest/request-init.js'
export type {
  CollectionClass,
  EndpointExtraOptions,
  Extendable,
  Resource,
  ResourceMembers,
  ResourceOptions,
} from './rest/resource.js'
export { bidirectional } from './rest/bidirectional.js'
export type { BidirectionalEndpoint, BidirectionalOptions } from './rest/bidirectional.js'
export { linkParams } from './rest/link.js'
export { NetworkError } from './errors.js'
export type { ListPath, PathParams, PathValue, WildcardValue } from './rest/path-types.js'
export type {
  AnyBody,
  AnySearchParams,
  Extended,
  ListChangeOf,
  PageArgs,
  PageOf,
  RecordBody,
  RestArgs,
  RestOptions,
  RestValue,
} from './rest/rest-types.js'
export type { Content } from './endpoint/response.js'
export type { SearchValue } from './rest/search-params.js'
