import { SelfsameError } from '@selfsame/core'
import { GQLNetworkError } from '@selfsame/core/graphql'
import { NetworkError } from '@selfsame/core/rest'

/** Whether an error says that a request or a picture failed, as opposed to the code that shows it. */
export function isOfRequest(error: unknown): boolean {
  if (error instanceof SelfsameError) return error.code === 'image-unusable'
  return error instanceof NetworkError || error instanceof GQLNetworkError
}
