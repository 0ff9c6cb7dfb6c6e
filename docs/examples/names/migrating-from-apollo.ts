import type { GQLEndpoint } from '@selfsame/core/graphql'
export declare const gql: GQLEndpoint
