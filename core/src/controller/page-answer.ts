import { isOwnError } from '../errors.js'

/** Where to redirect to, by the status of a failed call: a path, or a function of the address that was opened. */
export interface Redirects {
  readonly [status: number]: string | ((path: string) => string)
}

/** How failed calls decide the answer of a page that a server renders. */
export interface PageAnswers {
  /** The statuses that a page takes over. @default [401, 403, 404, 410] */
  readonly statuses?: readonly number[] | undefined
  /** @default none */
  readonly redirects?: Redirects | undefined
}

/** The answer of a page: its status, or the path of another page. */
export type PageAnswer = { readonly status: number } | { readonly redirect: string }

/**
 * Chooses the answer of a page by the errors of its calls: the first one counts whose status is among `redirects` or `statuses`.
 *
 * @param page - its path, which is not redirected to itself, and its whole address. It is read only for a redirect: a `load` of SvelteKit
 *   runs again when what it has read of the address changes
 * @returns `undefined` if none counts
 */
export function answerOf(
  failures: readonly unknown[],
  // What a page says of itself: the visitor may not see it, or what it is about is not there.
  { statuses = [401, 403, 404, 410], redirects = {} }: PageAnswers,
  page: { readonly path: string; readonly fullPath: string },
): PageAnswer | undefined {
  for (const failure of failures) {
    const status = isOwnError(failure) ? failure.status : undefined
    if (status === undefined) continue
    const given = redirects[status]
    const redirect = typeof given === 'function' ? given(page.fullPath) : given
    if (redirect !== undefined && redirect.split(/[?#]/, 1)[0] !== page.path) return { redirect }
    if (statuses.includes(status)) return { status }
  }
  return undefined
}
