import { runServerSuite, runSuite } from '@selfsame/conformance'
import type { Driver, ServerDriver } from '@selfsame/conformance'

// In Chromium, built as an application is: in both modes of Svelte, for a page and for a server.

const load = (name: string): Promise<unknown> =>
  import(/* @vite-ignore */ `/bindings/svelte/testing/dist/chromium/${name}.js`)

// Svelte's server keeps the requests of a browser apart by rendering one after the other, which it does where this is set.
Object.assign(globalThis, { process: { env: {}, versions: { webcontainer: '1' } } })

const { asyncDriver } = (await load('development-async')) as { asyncDriver: Driver }
runSuite(asyncDriver)

for (const mode of ['', '-async']) {
  const [onServer, inPage] = (await Promise.all([
    load(`screen/development${mode}-server`),
    load(`screen/development${mode}`),
  ])) as [ServerDriver, ServerDriver]
  runServerSuite({
    name: mode === '' ? 'svelte' : 'svelte (async)',
    knownGaps: {},
    serve: onServer.serve,
    hydrate: inPage.hydrate,
  })
}
