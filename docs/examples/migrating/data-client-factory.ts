import type { Schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type {
  AnySearchParams,
  Resource,
  ResourceOptions,
  RestOptions,
} from '@selfsame/core/rest'

class AppEndpoint<
  const Options extends RestOptions,
> extends RestEndpoint<Options> {
  override getHeaders(headers: Readonly<Record<string, string>>) {
    return { ...headers, 'X-Client': 'web' }
  }
}

/** The resources of this API. */
export function appResource<
  const Path extends string,
  const S extends Schema,
  const Search extends object = AnySearchParams,
  const Field extends string = 'cursor',
>(
  options: ResourceOptions<Path, S, Search, Field>,
): Resource<Path, S, Search, Field> {
  return createResource({ Endpoint: AppEndpoint, ...options })
}
