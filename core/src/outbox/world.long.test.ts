import 'fake-indexeddb/auto'
import { indexedDbStorage, memoryStorage } from '../storage.js'
import { expect, test } from 'vitest'
import { runWorld } from './testing-world.js'

const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 1_000_000_000)
/** `npm run test:long` takes a million steps; each other run what fits into its time. */
const until = process.env['LONG_SECONDS'] === undefined ? Infinity : Date.now() + 10_000

test(`no change is lost, none is carried out twice, and their order stays, over many steps (seed ${seed})`, async () => {
  let steps = 0
  for (let run = 0; steps < 1_000_000 && Date.now() < until; run++) {
    const storage = run % 10 === 0 ? indexedDbStorage({ name: `long ${run}` }) : memoryStorage()
    steps += await runWorld(seed + run, storage, 40 + (run % 100))
  }
  console.info(`${steps} steps, seed ${seed}`)
  expect(steps).toBeGreaterThan(1000)
})
