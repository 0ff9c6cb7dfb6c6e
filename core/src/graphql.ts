export { GQLEndpoint } from './graphql/gql-endpoint.js'
export { GQLEntity } from './graphql/gql-entity.js'
export { GQLNetworkError } from './graphql/gql-network-error.js'
export type { GQLError } from './graphql/gql-network-error.js'
export type {
  DocumentPrinter,
  GQLDocument,
  ResultOf,
  TypedText,
  UntypedDocument,
  VariablesOf,
} from './graphql/document.js'
export type { DocumentNode } from './graphql/print-document.js'
export type {
  Declared,
  ExtendedOptions as Extended,
  GQLArgs,
  GQLOptions,
  GQLRequestBody,
  GQLValue,
} from './graphql/gql-types.js'
export { NetworkError } from './errors.js'
