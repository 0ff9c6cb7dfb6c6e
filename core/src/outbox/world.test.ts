import 'fake-indexeddb/auto'
import { indexedDbStorage, memoryStorage } from '../storage.js'
import { expect, test } from 'vitest'
import { runWorld } from './testing-world.js'

/** The same each time: `npm run test:long` looks for other cases. */
const seed = Number(process.env['PROPERTY_SEED'] ?? 4)

test(`no change is lost, none is carried out twice, and their order stays (seed ${seed})`, async () => {
  let steps = 0
  for (let run = 0; run < 20; run++) steps += await runWorld(seed + run, memoryStorage())
  for (let run = 0; run < 5; run++)
    steps += await runWorld(seed + run, () => indexedDbStorage({ name: `world ${seed + run}` }))
  expect(steps).toBe(25 * 60)
})
