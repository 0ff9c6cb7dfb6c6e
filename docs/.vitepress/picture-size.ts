import { readFileSync } from 'node:fs'
import { root } from './pages.js'

/**
 * The size of a picture in `docs/pictures`, so that nothing moves when it arrives. It is in the extended header of a WebP file, less one.
 *
 * @param name - of the file: `panel-calls.webp`
 */
export function sizeOf(name: string): { readonly width: number; readonly height: number } {
  const bytes = readFileSync(`${root}docs/pictures/${name}`)
  if (bytes.toString('latin1', 12, 16) !== 'VP8X') throw new Error(`${name} has no extended header.`)
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
}
