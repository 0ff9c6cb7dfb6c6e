import type { Files } from './edit/sources.js'
import type { Runnable } from './run.js'

/** What the address of the playground says. */
export interface Played {
  readonly sample: string | undefined
  readonly framework: Runnable | undefined
  /** The files that the reader has edited, in the framework of the address. */
  readonly files: Files | undefined
}

/** @param hash - of the address */
export async function readAddress(hash: string): Promise<Played> {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  const framework = (['react', 'vue', 'svelte'] as const).find((id) => id === params.get('framework'))
  const code = params.get('code')
  return {
    sample: params.get('example') ?? undefined,
    framework,
    // An address that was cut off has no code.
    files: code === null ? undefined : await unpack(code).catch(() => undefined),
  }
}

export async function writeAddress({ sample, framework, files }: Played): Promise<string> {
  const params = new URLSearchParams()
  if (sample !== undefined) params.set('example', sample)
  if (framework !== undefined) params.set('framework', framework)
  if (files !== undefined) params.set('code', await pack(files))
  return `#${params}`
}

async function pack(files: Files): Promise<string> {
  const bytes = await through(JSON.stringify([...files]), new CompressionStream('deflate-raw'))
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

async function unpack(code: string): Promise<Files> {
  const text = atob(code.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const found: unknown = JSON.parse(
    new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))),
  )
  if (!Array.isArray(found) || !found.every(isFile)) throw new Error('The address has no files.')
  return new Map(found)
}

function isFile(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string')
}

async function through(
  content: BlobPart,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const stream = new Blob([content]).stream().pipeThrough(transform)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
