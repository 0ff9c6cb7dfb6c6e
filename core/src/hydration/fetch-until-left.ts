/**
 * Returns a `fetch` for the requests that a server sends while it renders a page for one visitor. When the visitor leaves,
 * it aborts those that have no response yet, and its promises never settle: a page that reaches nobody is
 * rendered no further, and nothing of it is logged as an error.
 *
 * @param send - sends a request
 * @param left - aborted when the visitor has left
 * @see specification 4.5, Hooks on a server
 */
export function fetchUntilLeft(send: typeof fetch, left: AbortSignal): typeof fetch {
  return (target, init) =>
    new Promise((resolve, reject) => {
      if (left.aborted) return
      const end = new AbortController()
      const leave = () => end.abort(left.reason)
      left.addEventListener('abort', leave)
      const settle = (give: () => void) => {
        left.removeEventListener('abort', leave)
        if (!left.aborted) give()
      }
      const signal = init?.signal == null ? end.signal : AbortSignal.any([init.signal, end.signal])
      send(target, { ...init, signal }).then(
        (response) => settle(() => resolve(response)),
        (error: unknown) => settle(() => reject(error as Error)),
      )
    })
}
