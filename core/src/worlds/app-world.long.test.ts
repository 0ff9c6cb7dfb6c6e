import { expect, test, vi } from 'vitest'
import { runAppWorlds } from './testing-worlds.js'

/**
 * `npm test` runs 1,000 worlds, the same each time. `npm run test:long` runs 20,000, or `APP_WORLDS`, with another seed each time, which it
 * names: `PROPERTY_SEED=<seed> npm run test:long -- core/src/worlds`.
 */
const isPart = process.env['LONG_SECONDS'] !== undefined
const runs = Number(process.env['APP_WORLDS'] ?? (isPart ? 1000 : 20_000))
const seed = Number(process.env['PROPERTY_SEED'] ?? (isPart ? 1000 : Date.now() % 1_000_000_000))

/** How many worlds one test runs. */
const runsOfTest = 200

test.each(Array.from({ length: runs / runsOfTest }, (_, part) => seed + part))(
  'an application shows what its server has (PROPERTY_SEED=%i)',
  async (first) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(await runAppWorlds(runsOfTest, first)).toBeGreaterThan(0)
    vi.restoreAllMocks()
  },
)
