import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Unseen } from './run.js'

const isSource = /(?<!\.d)\.([cm]?[jt]s|[jt]sx|vue|svelte)$/
const mayName = /\.([cm]?[jt]sx?|vue|svelte|mdx?|astro|html)$/
const skipped = new Set([
  'node_modules',
  'dist',
  'build',
  'coverage',
  '.git',
  '.next',
  '.nuxt',
  '.svelte-kit',
])
const oldPackage = /['"]((?:rest-hooks|@rest-hooks\/[\w-]+|@data-client\/[\w-]+))(?:\/[\w/-]*)?['"]/

/** Lists the sources in a folder, or the file itself. */
export function sourcesBelow(path: string): string[] {
  return filesBelow(path).filter((file) => file === path || isSource.test(file))
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesBelow(below)
    return entry.isFile() ? [below] : []
  })
}

/** The nearest folder above a path with a file of that name. */
export function folderWith(name: string, path: string): string | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return at
    if (at === dirname(at)) return undefined
  }
}

/**
 * Lists the files of an application that name an old package, and were not given.
 *
 * @param root - the folder of its `package.json`
 * @param given - the files of the run
 */
export function unseenIn(root: string, given: readonly string[]): Unseen[] {
  const known = new Set(given.map((path) => resolve(path)))
  return filesBelow(root).flatMap((path) => {
    if (known.has(resolve(path)) || !mayName.test(path)) return []
    const named = oldPackage.exec(readFileSync(path, 'utf8'))?.[1]
    if (named === undefined) return []
    const why = isSource.test(path)
      ? 'was not among the files'
      : 'is of a kind that the codemod does not read'
    return [{ path, reason: `names ${named}, and ${why}` }]
  })
}

/** The old packages that a `package.json` depends on, and the line of each. */
export function oldDependencies(
  path: string,
): { readonly path: string; readonly line: number; readonly name: string }[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      const name = oldPackage.exec(text.replace(/:.*/, ''))?.[1]
      return name === undefined ? [] : [{ path, line: index + 1, name }]
    })
}
