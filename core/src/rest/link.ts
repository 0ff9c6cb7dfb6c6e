/** One address with its attributes. No address contains `<`: without that, each `<` would read the rest of the header. */
const linkValue = /<([^<>]*)>((?:"[^"]*"|[^,"]+)*)/g

/**
 * Reads the search params of one address in a `Link` header, such as that of the next page.
 *
 * @param link - the value of the header; `null` or `undefined` without one
 * @param rel - the relation of the address. @default 'next'
 * @returns the params, as text; `undefined` if the header has no such address
 * @see RFC 8288; specification 4.4, rule 3
 * @example
 * linkParams('<https://api.example.com/article?page=2>; rel="next"') // { page: '2' }
 */
export function linkParams(
  link: string | null | undefined,
  rel = 'next',
): Readonly<Record<string, string>> | undefined {
  for (const [, address = '', attributes = ''] of (link ?? '').matchAll(linkValue)) {
    const given = [...attributes.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/g)]
    const [, , quoted, plain] = given.find(([, name]) => name?.toLowerCase() === 'rel') ?? []
    const names = (quoted ?? plain ?? '').toLowerCase().split(/\s+/)
    if (!names.includes(rel.toLowerCase())) continue
    const search = address.split('#')[0]?.split('?')[1] ?? ''
    return Object.fromEntries(new URLSearchParams(search))
  }
  return undefined
}
