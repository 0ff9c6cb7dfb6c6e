// Prepares an application in `conformance/fixtures/` that is installed apart from the workspaces: with the packages of this
// project as they would be published.
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** How long one of npm's commands may take: milliseconds. */
const timeout = 240_000

/**
 * Installs a fixture, and unpacks our packages into it: built, packed, and only when a source is newer.
 *
 * @param {string} name - of its folder in `conformance/fixtures/`
 * @param {readonly string[]} bindings - the bindings that it uses, beside the core: `react`
 * @returns {Promise<string | undefined>} its folder; `undefined`, with a message, where the registry cannot be reached
 * @throws {Error} in CI also where the registry cannot be reached
 */
export async function prepareFixture(name, bindings) {
  const folder = await installFixture(name)
  if (folder === undefined) return undefined
  const packages = ['core', ...bindings.map((binding) => `bindings/${binding}`)]
  await build(packages)
  for (const each of packages) await unpack(each, folder)
  return folder
}

/**
 * Installs a fixture by its lock file, when it was not or its lock is newer.
 *
 * @param {string} name - of its folder in `conformance/fixtures/`
 * @returns {Promise<string | undefined>} its folder; `undefined`, with a message, where the registry cannot be reached
 * @throws {Error} in CI also where the registry cannot be reached
 */
export async function installFixture(name) {
  const folder = join(root, 'conformance/fixtures', name)
  try {
    await install(folder)
  } catch (error) {
    const text = `${error.stderr ?? ''}${error.message}`
    const isUnreachable = /E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|CONNRESET|NETUNREACH)|network/i.test(text)
    if (process.env.CI !== undefined || !isUnreachable) {
      throw new Error(`npm ci failed in ${folder}: ${text}`, { cause: error })
    }
    console.warn(`Left out: the fixture ${name}. The npm registry cannot be reached.`)
    return undefined
  }
  return folder
}

/** @param {string} folder */
async function install(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json')
  const lock = join(folder, 'package-lock.json')
  if (existsSync(installed) && timeOf(installed) >= timeOf(lock)) return
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, timeout })
  // npm keeps the time of what it unpacked.
  writeFileSync(installed, readFileSync(installed))
}

/**
 * Packs packages as they would be published: built before, and only when a source is newer.
 *
 * @param {readonly string[]} packages - their folders: `core`, `bindings/vue`
 * @param {string} folder - where the tarballs go
 */
export async function packPackages(packages, folder) {
  await build(packages)
  for (const each of packages) await pack(each, folder)
}

/** @param {string} workspace - its folder @param {string} folder - where the tarball goes */
async function pack(workspace, folder) {
  await run('npm', ['pack', '--pack-destination', folder, '--ignore-scripts'], {
    cwd: join(root, workspace),
    timeout,
  })
}

/** @param {readonly string[]} packages */
async function build(packages) {
  const isBuilt = packages.every((each) => {
    const stamp = stampOf(each)
    return (
      existsSync(join(root, each, 'dist/index.js')) &&
      existsSync(stamp) &&
      timeOf(stamp) >= newestSource(each)
    )
  })
  if (isBuilt) return
  // What was made of sources that are gone would be packed.
  for (const each of packages) rmSync(join(root, each, 'dist'), { recursive: true, force: true })
  await run('npx', ['tsc', '--build', '--force', ...packages.filter((each) => each !== 'bindings/svelte')], {
    cwd: root,
    timeout,
  })
  if (packages.includes('bindings/svelte')) {
    await run('npm', ['run', 'build', '-w', '@selfsame/svelte'], { cwd: root, timeout })
  }
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  for (const each of packages) writeFileSync(stampOf(each), '')
}

/**
 * @param {string} workspace - its folder
 * @param {string} folder - of the fixture
 */
async function unpack(workspace, folder) {
  const { name } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  const target = join(folder, 'node_modules', name)
  const stamp = join(target, '.fixture-stamp')
  if (existsSync(stamp) && timeOf(stamp) >= timeOf(stampOf(workspace))) return
  const temporary = mkdtempSync(join(tmpdir(), 'selfsame-pack-'))
  try {
    await pack(workspace, temporary)
    const [tarball] = readdirSync(temporary)
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    await run('tar', ['-xzf', join(temporary, tarball), '--strip-components=1', '-C', target])
    writeFileSync(stamp, '')
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Newer than the sources that were built. @param {string} workspace @returns {string} */
function stampOf(workspace) {
  return join(root, 'node_modules/.cache', `fixture-${workspace.replace('/', '-')}`)
}

/** @param {string} workspace @returns {number} */
function newestSource(workspace) {
  const source = join(root, workspace, 'src')
  const files = readdirSync(source, { recursive: true }).map((file) => join(source, String(file)))
  return Math.max(...[join(root, workspace, 'package.json'), ...files].map(timeOf))
}

/** @param {string} file @returns {number} */
function timeOf(file) {
  return statSync(file).mtimeMs
}
