import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildChangedPackages } from '../../tools/repository/build.mjs'

const bench = new URL('../', import.meta.url)

/** Installs the compared libraries from the benchmark's own lockfile, if they are not installed. @param {(text: string) => void} say */
export function installPeers(say) {
  if (lockedVersions('package-lock.json') === lockedVersions('node_modules/.package-lock.json')) return
  say('Installs what is compared (npm ci in bench/)')
  npm(['ci', '--no-audit', '--no-fund'], bench)
}

/** Builds the measured packages, as they are published. @param {(text: string) => void} say */
export async function buildOwn(say) {
  say('Builds Selfsame')
  await buildChangedPackages()
}

function npm(args, folder) {
  execFileSync('npm', args, {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}

/** @param {string} file @returns {string | undefined} names and versions to compare, without packages for other systems */
function lockedVersions(file) {
  try {
    const { packages } = JSON.parse(readFileSync(new URL(file, bench), 'utf8'))
    const versions = Object.entries(packages).filter(
      ([path, { optional }]) => path !== '' && optional !== true,
    )
    return JSON.stringify(versions.map(([path, { version }]) => [path, version]).sort())
  } catch {
    return undefined
  }
}
