import { expect, test } from 'vitest'
import { runUsers } from './testing-users.js'

/**
 * `npm run test:long` runs 3,000 worlds, or `OUTBOX_USERS`; `npm test` runs 300. Both take another seed each time and name it:
 * `PROPERTY_SEED=<seed> npm run test:long -- core/src/outbox/users`.
 */
const runs = Number(process.env['OUTBOX_USERS'] ?? (process.env['LONG_SECONDS'] === undefined ? 3000 : 300))
const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 1_000_000_000)

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
