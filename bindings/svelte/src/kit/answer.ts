import type { SelfsameError } from '@selfsame/core'
import { answerOf } from '@selfsame/core/bindings'
import type { NetworkError } from '@selfsame/core/rest'

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
   * opened: its path and query. A page is not redirected to itself.
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
 * @param url - of the page, which is not redirected to itself
 * @returns `undefined` if the error does not count
 */
export function answerOfLoad(
  failure: unknown,
  { message = ({ status }) => texts[status ?? 500] ?? 'Error', ...answers }: PrefetchOptions,
  url: Pick<URL, 'pathname' | 'search'>,
): Answer | undefined {
  const answer = answerOf([failure], answers, {
    get path() {
      return url.pathname
    },
    get fullPath() {
      return url.pathname + url.search
    },
  })
  if (answer === undefined || 'redirect' in answer) return answer
  return { ...answer, message: message(failure as NetworkError | SelfsameError) }
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
