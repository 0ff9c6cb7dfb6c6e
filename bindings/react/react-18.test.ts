import { runServerSuite, runSuite } from '@selfsame/conformance'
import { describe, expect, inject, test } from 'vitest'

// The suites again, with React 18: the config of their project takes every module of React from a fixture.

const hasReact18 = inject('hasReact18')

describe.skipIf(!hasReact18)('React 18 (without the npm registry it is left out)', async () => {
  if (!hasReact18) return
  const { driver } = await import('./conformance-driver.js')
  const { serverDriver } = await import('./server-rendering-driver.js')
  const [react, dom] = await Promise.all([import('react'), import('react-dom')])

  test('is the one that is tested', () => {
    expect([react.version, dom.version]).toEqual(['18.3.1', '18.3.1'])
  })

  runSuite(driver)
  // Before two renderers share contexts, of which React warns.
  await import('./src/transition.test.js')
  await import('./src/use-prefetch.test.js')
  runServerSuite(serverDriver)
})
