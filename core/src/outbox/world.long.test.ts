import 'fake-indexeddb/auto'
import { indexedDbStorage, memoryStorage } from '../storage.js'
import { expect, test } from 'vitest'
import { runWorld } from './testing-world.js'

/** `npm run test:long` takes a million steps; `npm test` takes some. Both take another seed each time, and name it. */
const isPart = process.env['LONG_SECONDS'] !== undefined
const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 1_000_000_000)
const most = isPart ? 1500 : 1_000_000

test(`no change is lost, none is carried out twice, and their order stays, over many steps (seed ${seed})`, async () => {
  let steps = 0
  for (let run = 0; steps < most; run++) {
    const isIndexedDb = run % 5 === 4
    const storage = isIndexedDb ? () => indexedDbStorage({ name: `long ${run}` }) : memoryStorage()
    steps += await runWorld(seed + run, storage, 30 + ((seed + run) % 121))
  }
  console.info(`${steps} steps, seed ${seed}`)
  expect(steps).toBeGreaterThan(1000)
})

/** Worlds that once ended wrong. */
test.each([
  [950_323_668, 135],
  [64, 99],
  [2, 104],
])('the world of seed %i, over %i steps', async (worldSeed, length) => {
  expect(await runWorld(worldSeed, memoryStorage(), length)).toBe(length)
  const name = `world ${worldSeed}`
  expect(await runWorld(worldSeed, () => indexedDbStorage({ name }), length)).toBe(length)
})
