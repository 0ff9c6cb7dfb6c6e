import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../../..')
const cache = join(repository, 'node_modules/.cache/selfsame-demo')

/** What every bundle can be made of, beside the sources of its own application. */
const shared = [
  ...['core/src', 'bindings/react/src', 'bindings/vue/src', 'bindings/svelte/src', 'tools/devtools/src'],
  ...['demo-apps/shared', 'package-lock.json'],
].map((path) => join(repository, path))

/**
 * The folder of a bundle. It is kept below `node_modules/.cache`, and made again when a source has another time or size.
 *
 * @param name - of the bundle, in the name of its folder
 * @param sources - the folder of the application
 * @param make - writes the bundle into a folder
 */
export async function keptBundle(
  name: string,
  sources: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(cache, `${name}${await fingerprintOf([sources, ...shared])}`)
  if (existsSync(folder)) return folder
  const temporary = `${folder}.${randomUUID()}`
  await mkdir(cache, { recursive: true })
  await make(temporary)
  // Another process may have made the same one meanwhile.
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true, force: true }))
  await forgetOthers(name, folder)
  return folder
}

/** Removes earlier bundles of a name. A running demo may still serve one that is younger than a day. */
async function forgetOthers(name: string, kept: string): Promise<void> {
  const yesterday = Date.now() - 86_400_000
  for (const other of await readdir(cache)) {
    const path = join(cache, other)
    if (!other.startsWith(name) || path === kept) continue
    const stats = await stat(path).catch(() => undefined)
    if (stats !== undefined && stats.mtimeMs < yesterday) await rm(path, { recursive: true, force: true })
  }
}

/** Changes when a file below one of the paths is added, removed or written. */
async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) {
    const isFile = (await stat(path)).isFile()
    const names = isFile ? [''] : (await readdir(path, { recursive: true })).toSorted()
    for (const name of names) {
      if (/(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$/.test(name)) continue
      const { size, mtimeMs } = await stat(join(path, name))
      hash.update(`${name} ${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}
