/** How failed calls decide the answer of a page that a server renders. */
export interface NuxtAnswers {
  readonly statuses: readonly number[]
  readonly redirects: { readonly [status: number]: string }
}

/** What a page says of itself: the visitor may not see it, or what it is about is not there. */
export const defaultStatuses: readonly number[] = [401, 403, 404, 410]

/** The answer of a page: its status, or the path of another page. */
export type Answer = { readonly status: number } | { readonly redirect: string }

/**
 * Chooses the answer of a page by the errors of its calls.
 *
 * @param path - of the page, which is not redirected to itself
 * @returns `undefined` if none of them counts
 */
export function answerOf(
  errors: readonly Error[],
  { statuses, redirects }: NuxtAnswers,
  path: string,
): Answer | undefined {
  for (const error of errors) {
    const { name, status } = error as { readonly name: string; readonly status?: unknown }
    if (name !== 'NetworkError' || typeof status !== 'number') continue
    const redirect = redirects[status]
    if (redirect !== undefined && redirect.split(/[?#]/, 1)[0] !== path) return { redirect }
    if (statuses.includes(status)) return { status }
  }
  return undefined
}
