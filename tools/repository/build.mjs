// Builds the packages: `npm run build`, or `node tools/repository/build.mjs core bindings/react` for some of them. TypeScript and
// svelte-package write into `build`. Two trees are made of it, of which a bundler takes one by the export condition `development`:
// `dist-development` has warnings and full texts; `dist` has neither, and the declarations of both.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { withFlag } from './development-flag.mjs'
import { compactGuide, packedGuides } from './guides.mjs'
import { tsc } from './typescript.mjs'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache')
const sveltePackage = join(root, 'node_modules/@sveltejs/package/svelte-package.js')
const packages = ['core', 'bindings/react', 'bindings/vue', 'bindings/svelte']
/** They have one tree, which TypeScript writes. */
const tools = ['tools/codemod', 'tools/eslint-plugin', 'tools/openapi', 'tools/devtools']
const trees = /** @type {const} */ ([
  ['dist', false],
  ['dist-development', true],
])

/**
 * Compiles packages and writes both of their trees.
 *
 * @param {readonly string[]} [folders] - `core`, `bindings/vue`. @default all of them, and the tools
 */
export async function buildPackages(folders = packages) {
  // Before: what changes while it is built is not in it.
  const time = new Date()
  const projects = folders.filter((folder) => folder !== 'bindings/svelte')
  await run(tsc, ['--build', ...(folders === packages ? tools : []), ...projects])
  if (folders.includes('bindings/svelte')) {
    // It leaves files in place whose sources are gone.
    rmSync(join(root, 'bindings/svelte/build'), { recursive: true, force: true })
    const options = ['--input', 'src', '--output', 'build', '--tsconfig', 'tsconfig.build.json']
    await run(process.execPath, [sveltePackage, ...options], join(root, 'bindings/svelte'))
  }
  mkdirSync(cache, { recursive: true })
  const guide = compactGuide()
  for (const folder of folders) {
    await writeTrees(folder)
    writeFileSync(join(root, folder, 'llms.txt'), guide)
    if (folder === 'core') writeGuides()
    writeFileSync(stampOf(folder), time.toISOString())
  }
}

/**
 * Builds packages if one of their files is newer than their last build. Callers in several processes wait for each other.
 *
 * @param {readonly string[]} [folders] @default all of them
 */
export async function buildChangedPackages(folders = packages) {
  if (folders.every(isBuilt)) return
  const lock = join(cache, 'building')
  mkdirSync(cache, { recursive: true })
  while (!claim(lock)) await setTimeout(100)
  try {
    if (!folders.every(isBuilt)) await buildPackages(folders)
  } finally {
    rmSync(lock, { force: true })
  }
}

/** True if the lock is ours now. A lock whose process is gone is taken. @param {string} lock */
function claim(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (existsSync(lock) && !isRunning(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true })
    return false
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** When a package was built. @param {string} folder */
export const stampOf = (folder) => join(cache, `built-${folder.replace('/', '-')}`)

/** @param {string} folder */
function isBuilt(folder) {
  if (!existsSync(stampOf(folder))) return false
  if (!trees.every(([tree]) => existsSync(join(root, folder, tree, 'index.js')))) return false
  const source = join(root, folder, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) => join(source, file))
  const others = [import.meta.filename, join(import.meta.dirname, 'development-flag.mjs')]
  const built = Date.parse(readFileSync(stampOf(folder), 'utf8'))
  return [...files, ...others].every((file) => statSync(file).mtimeMs < built)
}

/** Writes the guides that the core carries. A guide that is gone is gone there. */
function writeGuides() {
  const folder = join(root, 'core/docs')
  rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of packedGuides()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/** @param {string} folder */
async function writeTrees(folder) {
  const build = join(root, folder, 'build')
  const files = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.(js|d\.ts|svelte)$/.test(file) &&
      // svelte-package has no way to leave tests out, and TypeScript leaves in place what its source is gone of.
      !/\.test(-d)?\./.test(file) &&
      hasSource(folder, file),
  )
  for (const [tree] of trees) rmSync(join(root, folder, tree), { recursive: true, force: true })
  const write = (/** @type {string} */ tree, /** @type {string} */ file, /** @type {string} */ text) => {
    const target = join(root, folder, tree, file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  for (const file of files) {
    const text = readFileSync(join(build, file), 'utf8')
    if (file.endsWith('.d.ts')) write('dist', file, text)
    else
      for (const [tree, isDevelopment] of trees)
        write(tree, file, file.endsWith('.js') ? await withFlag(text, isDevelopment) : text)
  }
}

/** @param {string} folder @param {string} file - that was built */
function hasSource(folder, file) {
  const name = file.replace(/\.(d\.ts|js)$/, '')
  return ['', '.ts', '.tsx'].some((ending) => existsSync(join(root, folder, 'src', name + ending)))
}

/** @param {string} tool @param {readonly string[]} args @param {string} [cwd] */
async function run(tool, args, cwd = root) {
  try {
    await promisify(execFile)(tool, args, { cwd })
  } catch (error) {
    throw new Error(`${[tool, ...args].join(' ')} failed:\n${error.stdout}${error.stderr}`, { cause: error })
  }
}

if (process.argv[1] === import.meta.filename) {
  await buildPackages(process.argv.length > 2 ? process.argv.slice(2) : undefined)
}
