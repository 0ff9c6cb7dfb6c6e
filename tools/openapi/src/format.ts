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
      text: await format(text, { ...options, filepath: join(folder, path) }),
    })),
  )
}
