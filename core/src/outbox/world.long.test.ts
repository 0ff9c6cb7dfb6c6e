import 'fake-indexeddb/auto'
import { indexedDbStorage, memoryStorage } from '../storage.js'
import { expect, test } from 'vitest'
import { runWorld } from './testing-world.js'

/** `npm run test:long` takes a million steps of another seed each time; `npm test` takes some of the same. */
const isPart = process.env['LONG_SECONDS'] !== undefined
const seed = Number(process.env['PROPERTY_SEED'] ?? (isPart ? 22 : Date.now() % 1_000_000_000))
const most = isPart ? 3000 : 1_000_000

/**
 * A world that still ends wrong: a mutation that names a record which was made meanwhile is kept as failed, as if its create had
 * been refused. Others lose a change whose tab crashed at once. The causes are not found.
 */
test.fails('a gap: the world of seed 950323668', async () => {
  await runWorld(950_323_668, memoryStorage(), 135)
})

test(`no change is lost, none is carried out twice, and their order stays, over many steps (seed ${seed})`, async () => {
  let steps = 0
  for (let run = 0; steps < most; run++) {
    const storage = run % 10 === 0 && !isPart ? indexedDbStorage({ name: `long ${run}` }) : memoryStorage()
    steps += await runWorld(seed + run, storage, 40 + (run % 100))
  }
  console.info(`${steps} steps, seed ${seed}`)
  expect(steps).toBeGreaterThan(1000)
})
