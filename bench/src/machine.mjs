import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import os from 'node:os'

const root = new URL('../../', import.meta.url)

/** @returns {import('./report/tables.mjs').Machine} */
export function describeMachine() {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model.trim() || os.arch(),
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.arch()}`,
    node: process.version,
  }
}

/** @returns {string} the measured commit; empty outside of a repository */
export function describeCommit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
    const isChanged = git('status', '--porcelain', '--', 'core') !== ''
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : '')
  } catch {
    return ''
  }
}

/** @param {readonly string[]} packages @returns {Record<string, string>} as installed */
export function versionsOf(packages) {
  return Object.fromEntries([...new Set(packages)].map((name) => [name, versionOf(name)]))
}

/** @param {string} name */
function versionOf(name) {
  for (const folder of ['bench', 'bench/browser', 'bench/offline', '.']) {
    try {
      return JSON.parse(readFileSync(new URL(`${folder}/node_modules/${name}/package.json`, root), 'utf8'))
        .version
    } catch {
      // Not installed.
    }
  }
  return 'not installed'
}
