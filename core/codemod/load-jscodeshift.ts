import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import type { JSCodeshift } from 'jscodeshift'

/** The version that the codemod is tested with. */
export const jscodeshiftVersion = '17.4.0'

/**
 * Finds jscodeshift: among the packages of this one, of the folder that the command is run in, and of those that `npx` put
 * on the path.
 */
export function findJscodeshift(): JSCodeshift | undefined {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder.endsWith(join('node_modules', '.bin')))
    .map((folder) => join(dirname(folder), 'index.js'))
  for (const from of [import.meta.url, join(process.cwd(), 'index.js'), ...folders])
    try {
      return createRequire(from)('jscodeshift') as JSCodeshift
    } catch (error) {
      if ((error as { code?: string }).code !== 'MODULE_NOT_FOUND') throw error
    }
  return undefined
}
