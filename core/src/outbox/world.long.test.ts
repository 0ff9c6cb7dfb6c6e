import 'fake-indexeddb/auto'
import { indexedDbStorage, memoryStorage } from '../storage.js'
import { describe, expect, test } from 'vitest'
import { runShortened, runWorld } from './testing-world.js'

/**
 * `npm run test:long` takes a million steps, or `OUTBOX_STEPS`; `npm test` takes some. Both take another seed each time and name it,
 * and the seed to go on with: `PROPERTY_SEED=<seed> npm run test:long -- core/src/outbox`.
 */
const isPart = process.env['LONG_SECONDS'] !== undefined
const firstSeed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 1_000_000_000)
const most = Number(process.env['OUTBOX_STEPS'] ?? (isPart ? 1500 : 1_000_000))

/** How many worlds one test runs. */
const worldsOfTest = 100
const lengthOf = (seed: number) => 30 + (seed % 121)

/** The seeds of the tests, each with the steps of its worlds. */
function* parts(): Generator<{ readonly seed: number; readonly worlds: number }> {
  let [seed, steps] = [firstSeed, 0]
  while (steps < most) {
    const begun = seed
    while (steps < most && seed < begun + worldsOfTest) steps += lengthOf(seed++)
    yield { seed: begun, worlds: seed - begun }
  }
}

let stepsRight = 0

describe('no change is lost, none is carried out twice, and their order stays', () => {
  test.each([...parts()])('in $worlds worlds from seed $seed', async ({ seed, worlds }) => {
    for (let next = seed; next < seed + worlds; next++) stepsRight += await runNumbered(next)
    console.info(`${stepsRight} steps right; go on with PROPERTY_SEED=${seed + worlds}`)
    expect(stepsRight).toBeGreaterThan(0)
  })
})

/** One of five in IndexedDB. */
async function runNumbered(seed: number): Promise<number> {
  if (seed % 5 !== 4) return runShortened(seed, () => memoryStorage(), lengthOf(seed))
  const names: string[] = []
  const storageOf = () => {
    const name = `long ${seed} ${names.length}`
    names.push(name)
    return () => indexedDbStorage({ name })
  }
  const steps = await runShortened(seed, storageOf, lengthOf(seed))
  for (const name of names) indexedDB.deleteDatabase(name)
  return steps
}

/** Worlds that once ended wrong. */
test.each([
  [950_323_668, 135],
  [1_000_799, 32],
  [1_001_123, 120],
  [64, 99],
  [2, 104],
])('the world of seed %i, over %i steps', async (worldSeed, length) => {
  expect(await runWorld(worldSeed, memoryStorage(), length)).toBe(length)
  const name = `world ${worldSeed}`
  expect(await runWorld(worldSeed, () => indexedDbStorage({ name }), length)).toBe(length)
})
