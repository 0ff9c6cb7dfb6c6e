import { SelfsameError } from '@selfsame/core'
import { NetworkError } from '@selfsame/core/rest'

/** Options of `prefetch`. */
export interface PrefetchOptions {
  /**
   * The page of errors for a failed call with one of these statuses has that status. A call that cannot be made, as its id
   * is `Number('abc')`, counts as 404. Any other error is one of the `load`: SvelteKit logs it, and its page has status 500 and no
   * `message`. Name 500, 502, 503 or 504 to show your own.
   *
   * @default [401, 403, 404, 410]
   */
  readonly statuses?: readonly number[] | undefined
  /**
   * Paths to redirect to, by the status of a failed call: `{ 401: '/login' }`. A function is called with the address that was
   * opened: its path and query.
   *
   * @default none
   * @example { 401: (path) => '/login?to=' + encodeURIComponent(path) }
   */
  readonly redirects?: { readonly [status: number]: string | ((path: string) => string) } | undefined
  /**
   * Returns what the page of errors shows for a failed call with one of `statuses`. The text of the error itself names the endpoint and its address.
   *
   * @default the text of the status, such as `Not Found`
   */
  readonly message?: ((error: NetworkError | SelfsameError) => string) | undefined
}

/** The answer of a page: its status, with what the page of errors shows, or the path of another page. */
export type Answer = { readonly status: number; readonly message: string } | { readonly redirect: string }

/**
 * Chooses the answer of a page by the error of its `load`.
 *
 * @param url - of the page
 * @returns `undefined` if the error does not count
 */
export function answerOf(
  failure: unknown,
  { statuses = [401, 403, 404, 410], redirects = {}, message = statusText }: PrefetchOptions,
  url: Pick<URL, 'pathname' | 'search'>,
): Answer | undefined {
  const status = statusOf(failure)
  if (status === undefined) return undefined
  const redirect = redirects[status]
  // A `load` runs again when what it has read of the address changes, so it reads no more than it needs.
  if (typeof redirect === 'function') return { redirect: redirect(url.pathname + url.search) }
  if (redirect !== undefined) return { redirect }
  if (!statuses.includes(status)) return undefined
  return { status, message: message(failure as NetworkError | SelfsameError) }
}

function statusOf(failure: unknown): number | undefined {
  if (failure instanceof NetworkError) return failure.status
  // The id in the address is none that a call can have.
  return failure instanceof SelfsameError && failure.code === 'path-param-unusable' ? 404 : undefined
}

const texts: { readonly [status: number]: string } = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

const statusText = (failure: unknown) => texts[statusOf(failure) ?? 500] ?? 'Error'
