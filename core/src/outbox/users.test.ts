import { expect, test } from 'vitest'
import { runUsers } from './testing-users.js'

/** The same each time: `users.long.test.ts` looks for other cases. The second world once ended wrong. */
test.each([
  [1, 20],
  [402, 1],
])(
  'two users of one machine see, send and leave nothing of each other (from seed %i)',
  async (seed, runs) => {
    let steps = 0
    for (let run = 0; run < runs; run++) steps += await runUsers(seed + run, 60)
    expect(steps).toBe(runs * 60)
  },
)
