import { join } from 'node:path'
import { runServerSuite } from '@selfsame/conformance'
import type { ServerDriver } from '@selfsame/conformance'
import { compile } from './testing/compile.js'

const folder = join(import.meta.dirname, 'testing')

for (const isAsync of [false, true]) {
  const entry = join(folder, isAsync ? 'async/server-screen.ts' : 'server-screen.ts')
  const [onServer, inPage] = (await Promise.all(
    [true, false].map((isServer) => compile(entry, join(folder, 'dist/screen'), { isAsync, isServer })),
  )) as unknown as readonly Pick<ServerDriver, 'serve' | 'hydrate'>[]
  runServerSuite({
    name: isAsync ? 'svelte (async)' : 'svelte',
    knownGaps: {},
    serve: onServer!.serve,
    hydrate: inPage!.hydrate,
  })
}
