import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { measureBundle } from './bundle.mjs'

test('the screen with TanStack Query brings less than a third of what it brings with Selfsame', async () => {
  const [tanstack, selfsame] = await Promise.all(['tanstack', 'selfsame'].map(measureSide))
  // demo-apps/README.md says so.
  expect(tanstack.brotli).toBeLessThan(selfsame.brotli / 3)
})

/** @param {string} folder - of demo-apps/compare/src */
function measureSide(folder) {
  const path = fileURLToPath(new URL(`../../demo-apps/compare/src/${folder}/index.ts`, import.meta.url))
  return measureBundle({ code: `export * from ${JSON.stringify(path)}`, external: ['react', 'react-dom'] })
}
