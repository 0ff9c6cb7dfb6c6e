export { Resource } from './legacy/legacy-resource.js'
export type {
  EndpointChanges,
  ExtendEndpoint,
  PaginateEndpoint,
  ResourceEndpoint,
} from './legacy/resource-endpoint.js'
export type {
  DeleteShape,
  FetchShape,
  MemberShape,
  MutateShape,
  ReadShape,
  ShapeOptions,
  ShapeParams,
} from './legacy/shapes.js'
export { NetworkError } from './errors.js'

// For bindings.
export { fetchShape, toEndpoint, toEndpointAfter } from './legacy/shape-endpoint.js'
export type {
  BodyOfShape,
  CheckedShapeCalls,
  DataOfShape,
  DataOfShapeCalls,
  ParamsOfShape,
  ReadShapeLike,
  ShapeCall,
  ShapeData,
  ShapeFetcher,
  ShapeLike,
  UpdateParam,
} from './legacy/shape-endpoint.js'
