// Makes versions of the changesets: `npm run versions`. Changesets makes a major version of what has a peer dependency that moves out
// of its range, and would call the next minor version 1.0.0. The packages have one version: their range of the core follows it, and so
// do the versions that the templates of create-selfsame ask for.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const bindings = ['react', 'vue', 'svelte'].map((name) => join(root, 'bindings', name, 'package.json'))

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const write = (file, manifest) => writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
const setRange = (range) => {
  for (const file of bindings) {
    const manifest = read(file)
    write(file, { ...manifest, peerDependencies: { ...manifest.peerDependencies, '@selfsame/core': range } })
  }
}

setRange('*')
try {
  execFileSync('npx', ['changeset', 'version'], { cwd: root, stdio: 'inherit' })
} finally {
  setRange(`^${read(join(root, 'core/package.json')).version}`)
}
for (const name of ['react', 'vue', 'svelte']) {
  const file = join(root, 'tools/create-selfsame', name, 'package.json')
  const manifest = read(file)
  const { version } = read(join(root, 'core/package.json'))
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    const ours = Object.keys(dependencies).filter((each) => each.startsWith('@selfsame/'))
    for (const each of ours) dependencies[each] = `^${version}`
  }
  write(file, manifest)
}
execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
  cwd: root,
  stdio: 'inherit',
})
