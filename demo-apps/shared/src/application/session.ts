// Stores the token of the user in a cookie, so that a server can render the page for that user. A real application
// needs a cookie that scripts cannot read.

const name = 'demo-token'

/** @param cookies - `document.cookie`, or the header `Cookie` of a request */
export function tokenOf(cookies: string): string | undefined {
  const pair = cookies.split('; ').find((text) => text.startsWith(`${name}=`))
  return pair && decodeURIComponent(pair.slice(name.length + 1))
}

/** The value for `document.cookie` when a user signs in; `undefined` signs out. */
export function cookieOf(token: string | undefined): string {
  const rest = 'path=/; SameSite=Lax'
  return token === undefined
    ? `${name}=; ${rest}; Max-Age=0`
    : `${name}=${encodeURIComponent(token)}; ${rest}`
}

/** The request options that `hookifyResource` adds for a user. */
export function initOf(token: string | undefined): { readonly headers: Record<string, string> } | undefined {
  return token === undefined ? undefined : { headers: { 'Access-Token': token } }
}
