// `npm run dev`: the demo, and `tsc`, which compiles each change of the sources. Each ends with the other.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tsc } from '../../../tools/repository/typescript.mjs'
import { endWithParent } from './end.js'

// Before anything is started that could be left.
endWithParent()

const root = fileURLToPath(new URL('../../..', import.meta.url))
const compiler = spawn(tsc, ['--build', '--watch', '--preserveWatchOutput'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
})
// After SIGTERM it would finish its compilation first.
process.once('exit', () => compiler.kill('SIGKILL'))
compiler.once('exit', (code) => process.exit(code ?? 1))

process.argv.push('--watch')
await import('./main.js')
