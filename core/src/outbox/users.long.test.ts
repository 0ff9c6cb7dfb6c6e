import { expect, test } from 'vitest'
import { runUsers } from './testing-users.js'

/**
 * `npm test` runs 300 worlds, the same each time. `npm run test:long` runs 3,000, or `OUTBOX_USERS`, with another seed each time, which it
 * names: `PROPERTY_SEED=<seed> npm run test:long -- core/src/outbox/users`.
 */
const isPart = process.env['LONG_SECONDS'] !== undefined
const runs = Number(process.env['OUTBOX_USERS'] ?? (isPart ? 300 : 3000))
const seed = Number(process.env['PROPERTY_SEED'] ?? (isPart ? 1000 : Date.now() % 1_000_000_000))

/** How many worlds one test runs. */
const runsOfTest = 100

test.each(Array.from({ length: runs / runsOfTest }, (_, part) => seed + part * runsOfTest))(
  'two users of one machine see, send and leave nothing of each other (from seed %i)',
  async (first) => {
    let steps = 0
    for (let run = 0; run < runsOfTest; run++) steps += await runUsers(first + run, 60)
    expect(steps).toBe(runsOfTest * 60)
  },
)
