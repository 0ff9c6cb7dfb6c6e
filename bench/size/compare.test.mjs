import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { measureBundle } from './bundle.mjs'

test('the screen with TanStack Query brings less than a third of what it brings with Selfsame', async () => {
  const [tanstack, selfsame] = await Promise.all(['tanstack', 'selfsame'].map(measureSide))
  // demo-apps/README.md says so, and the page has both sizes.
  expect(tanstack.brotli).toBeLessThan(selfsame.brotli / 3)
  const page = readFileSync(new URL('../../demo-apps/compare/index.html', import.meta.url), 'utf8')
  for (const [id, { brotli }] of Object.entries({ tanstack, selfsame })) {
    const said = Number(new RegExp(`data-kb="${id}">(\\d+) kB<`).exec(page)?.[1])
    expect(Math.abs(said - brotli / 1000)).toBeLessThan(0.05 * said + 0.5)
  }
})

/** @param {string} folder - of demo-apps/compare/src */
function measureSide(folder) {
  const path = fileURLToPath(new URL(`../../demo-apps/compare/src/${folder}/index.ts`, import.meta.url))
  return measureBundle({ code: `export * from ${JSON.stringify(path)}`, external: ['react', 'react-dom'] })
}
