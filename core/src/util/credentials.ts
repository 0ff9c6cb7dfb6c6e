/**
 * Returns an address without its credentials: `https://user:password@host/a` is `https://host/a`. They are as a header is:
 * the key of a call does not contain them.
 */
export function withoutCredentials(url: string): string {
  return url.replace(/^([\w+.-]*:)?\/\/[^/?#\\]*@/, '$1//')
}
