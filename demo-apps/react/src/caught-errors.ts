import { SelfsameError } from '@selfsame/core'
import { GQLNetworkError } from '@selfsame/core/graphql'
import { NetworkError } from '@selfsame/core/rest'

/** True if an error comes from a request or a picture, and not from rendering code. */
export function isOfRequest(error: unknown): boolean {
  if (error instanceof SelfsameError) return error.code === 'image-unusable'
  return error instanceof NetworkError || error instanceof GQLNetworkError
}
