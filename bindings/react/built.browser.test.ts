import { runServerSuite, runSuite } from '@selfsame/conformance'
import { describe, expect, inject, test } from 'vitest'
import type * as Drivers from './testing/drivers.js'

// In Chromium, built as an application is, with a React of its own: the server's has no window.

const load = async (name: string): Promise<typeof Drivers> =>
  (await import(/* @vite-ignore */ `/bindings/react/testing/dist/${name}.js`)) as typeof Drivers

/** The drivers for a page, and for a server. */
async function loadBoth(major: string) {
  const [page, onServer] = await Promise.all([load(`${major}/page`), load(`${major}/server`)])
  test('is the one that is tested', () => {
    expect([page.version, onServer.version].map((version) => version.split('.')[0])).toEqual([major, major])
  })
  return { driver: page.driver, serverDriver: { ...page.serverDriver, serve: onServer.serverDriver.serve } }
}

describe('React 19', async () => {
  runServerSuite((await loadBoth('19')).serverDriver)
})

describe.skipIf(!inject('hasReact18'))('React 18 (without the npm registry it is left out)', async () => {
  if (!inject('hasReact18')) return
  const { driver, serverDriver } = await loadBoth('18')
  runSuite(driver)
  runServerSuite(serverDriver)
})
