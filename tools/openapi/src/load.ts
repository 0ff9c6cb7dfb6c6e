import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { bundle, createConfig, parseYaml } from '@redocly/openapi-core'
import { checkDescription } from './check-description.js'
import type { Description } from './description.js'
import { toDescription } from './to-description.js'

/** What was read: a description of HTTP calls, or a schema of GraphQL. */
export type Loaded =
  | { readonly kind: 'openapi'; readonly description: Description }
  | { readonly kind: 'graphql'; readonly text: string }

/**
 * Reads a description from a file or an address. Parts in other files are brought together.
 *
 * @throws {Error} if it cannot be read, or is of no known kind
 */
export async function loadDescription(source: string): Promise<Loaded> {
  const text = await readText(source)
  if (/\.(graphqls?|gql|sdl)$/i.test(source.split(/[?#]/)[0] ?? '')) return { kind: 'graphql', text }
  let parsed: unknown
  try {
    parsed = text.trimStart().startsWith('{') ? JSON.parse(text) : parseYaml(text)
  } catch (cause) {
    throw new Error(`${nameOf(source)} is neither JSON nor YAML: ${(cause as Error).message}`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || !('openapi' in parsed || 'swagger' in parsed)) {
    throw new Error(
      `${nameOf(source)} is no API description: it has neither "openapi" nor "swagger". A GraphQL schema has the ending .graphql.`,
    )
  }
  checkDescription(parsed)
  const whole = hasOtherFiles(parsed) ? await bundleFiles(source) : parsed
  return { kind: 'openapi', description: toDescription(whole) }
}

async function readText(source: string): Promise<string> {
  if (!isAddress(source)) return readFile(source, 'utf8')
  const url = new URL(source)
  const { username, password } = url
  // An address with a name and a password is refused by `fetch`.
  Object.assign(url, { username: '', password: '' })
  const signed = `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`
  const response = await fetch(url, username === '' ? {} : { headers: { Authorization: signed } })
  if (!response.ok) throw new Error(`${nameOf(source)} answered ${response.status} ${response.statusText}.`)
  return response.text()
}

const isAddress = (source: string) => /^https?:\/\//.test(source)

/** The name of a file, or of an address without what may be secret. */
export function nameOf(source: string): string {
  if (!isAddress(source)) return basename(source)
  const { host, pathname } = new URL(source)
  return `${host}${pathname}`
}

/** `true` if a reference leads out of the file. */
function hasOtherFiles(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? !inner.startsWith('#') : hasOtherFiles(inner),
  )
}

async function bundleFiles(source: string): Promise<object> {
  const { bundle: document, problems } = await bundle({ ref: source, config: await createConfig({}) })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    throw new Error(
      `${nameOf(source)} cannot be read:\n${errors.map(({ message }) => `  ${message}`).join('\n')}`,
    )
  return document.parsed as object
}
