// `svelte-package` has no way to leave files out: takes the tests out of what it made.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, 'dist')
for (const file of readdirSync(dist, { encoding: 'utf8', recursive: true })) {
  if (/\.test(-d)?\./.test(file)) rmSync(join(dist, file))
}
