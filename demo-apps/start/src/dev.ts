// `npm run dev`: the demo, and `tsc`, which compiles each change of the sources. Each ends with the other.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endWithParent } from './end.js'

// Before anything is started that could be left.
endWithParent()

const root = fileURLToPath(new URL('../../..', import.meta.url))
// The native program itself: `bin/tsc` would start it as a child, which lives on when only its parent is killed.
const { resolve } = createRequire(import.meta.url)
const platform = resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)
const tsc = join(platform, '../lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')
const compiler = spawn(tsc, ['--build', '--watch', '--preserveWatchOutput'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
})
// After SIGTERM it would finish its compilation first.
process.once('exit', () => compiler.kill('SIGKILL'))
compiler.once('exit', (code) => process.exit(code ?? 1))

process.argv.push('--watch')
await import('./main.js')
