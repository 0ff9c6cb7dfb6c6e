// The compiler of the sources: TypeScript 7, which takes a fifth of the time of 6. What needs the compiler's API (vue-tsc, svelte-check, the
// reports) has TypeScript 6 until 7 has one.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { resolve } = createRequire(createRequire(import.meta.filename).resolve('typescript7/package.json'))
const platform = resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)

/** The program itself: `bin/tsc` of its package starts it as a child, which lives on when only its parent is killed. */
export const tsc = join(platform, '../lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')
