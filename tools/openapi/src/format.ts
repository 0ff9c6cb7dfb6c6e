import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import type { WrittenFile } from './options.js'

/** Formats files as prettier does in their folder: by the configuration that is found there, else by its defaults. */
export async function formatFiles(
  files: readonly WrittenFile[],
  folder: string,
): Promise<readonly WrittenFile[]> {
  const config = await resolveConfig(join(folder, 'index.ts'), { editorconfig: true })
  // Plugins are for other languages, and may not be installed.
  const { plugins: _, ...options } = config ?? {}
  return Promise.all(
    files.map(async ({ path, text }) => ({
      path,
      text: stamped(await format(text, { ...options, filepath: join(folder, path) })),
    })),
  )
}

/** The end of the first line before its last sentence, with the stamp of an earlier run. */
const stampPlace = /^(\/\/ Written by .*?)(?: \(([\da-f]{8})\))?\. Do not edit/

/** Adds to the first line by what an edit is found. */
function stamped(text: string): string {
  return text.replace(stampPlace, `$1 (${stampOf(text)}). Do not edit`)
}

/** `true` if a person has changed a file since it was written. Another formatting is no change. */
export function isEdited(text: string): boolean {
  const [, , stamp] = stampPlace.exec(text) ?? []
  return stamp !== undefined && stamp !== stampOf(text)
}

function stampOf(text: string): string {
  const body = text.slice(text.indexOf('\n')).replace(/[\s;,'"()]/g, '')
  return createHash('sha256').update(body).digest('hex').slice(0, 8)
}
