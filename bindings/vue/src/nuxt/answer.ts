/** Where to redirect to, by the status of a failed read: a path, or a function of the address that was opened. */
export interface Redirects {
  readonly [status: number]: string | ((path: string) => string)
}

/** How failed calls decide the answer of a page that a server renders. */
export interface NuxtAnswers {
  readonly statuses: readonly number[]
  readonly redirects: Redirects
}

/** What a page says of itself: the visitor may not see it, or what it is about is not there. */
export const defaultStatuses: readonly number[] = [401, 403, 404, 410]

/** The answer of a page: its status, or the path of another page. */
export type Answer = { readonly status: number } | { readonly redirect: string }

/**
 * Chooses the answer of a page by the errors of its calls.
 *
 * @param route - of the page, which is not redirected to itself. `fullPath` also has its query and hash
 * @returns `undefined` if none of them counts
 */
export function answerOf(
  errors: readonly Error[],
  { statuses, redirects }: NuxtAnswers,
  { path, fullPath }: { readonly path: string; readonly fullPath: string },
): Answer | undefined {
  for (const error of errors) {
    const { name, status } = error as { readonly name: string; readonly status?: unknown }
    if (name !== 'NetworkError' || typeof status !== 'number') continue
    const given = redirects[status]
    const redirect = typeof given === 'function' ? given(fullPath) : given
    if (redirect !== undefined && redirect.split(/[?#]/, 1)[0] !== path) return { redirect }
    if (statuses.includes(status)) return { status }
  }
  return undefined
}
