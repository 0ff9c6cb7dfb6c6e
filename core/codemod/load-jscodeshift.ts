import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import type { JSCodeshift } from 'jscodeshift'

/** The version with which the codemod is tested. */
export const jscodeshiftVersion = '17.4.0'

/**
 * Finds jscodeshift: in the packages of this one, of the working directory, and of the folders that `npx` adds to PATH.
 * `undefined` if it is in none of them.
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
