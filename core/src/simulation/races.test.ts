import { expect, test } from 'vitest'
import { Race, noneOlder } from './testing-race.js'
import type { RaceOptions, Unknowable } from './testing-race.js'
import { createRandom } from './testing-random.js'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20261120)
/** `npm run test:long` takes one million. */
const steps = Number(process.env['RACE_STEPS'] ?? 20_000)

const answers = ['full', 'partial', 'empty'] as const
const variants: readonly RaceOptions[] = [false, true].flatMap((isEarly) =>
  answers.flatMap((each) =>
    [false, true].flatMap((isVersioned) =>
      [false, true].map((sets) => ({ isEarly, answers: each, isVersioned, sets })),
    ),
  ),
)

const causes = Object.keys(noneOlder()) as Unknowable[]

test.each(variants)(
  'a client is as its server after what is Stale was fetched, whatever is handled and answered when: %o',
  async (options) => {
    const older = noneOlder()
    // Without an answer and an expectation, a mutation tells nothing of what it wrote.
    const tellsNothing = options.answers === 'empty' && !options.isEarly
    // With versions the client knows all that it was told.
    const isExact = options.isVersioned && options.answers === 'full'
    // Of a rate that is not 0, a few races say little.
    const share = Math.max(steps / variants.length, isExact ? 0 : 8000)
    let [runs, done, stale, vanished, undone] = [0, 0, 0, 0, 0]
    for (; done < share; runs++) {
      const race = new Race(createRandom(seed + runs), options)
      const result = await race.run()
      done += result.steps
      stale += result.stale
      vanished += result.vanished
      undone += result.undone
      for (const cause of causes) older[cause] += result.older[cause]
      if (process.env['RACE_LOG'] !== undefined && result[process.env['RACE_LOG'] as 'vanished'] > 0)
        console.info(race.log.join('\n'), '\n')
    }
    const inThousand = (count: number) => Math.round((count * 10_000) / runs) / 10
    const counts = Object.fromEntries(causes.map((cause) => [cause, inThousand(older[cause])]))
    console.info(
      `${JSON.stringify(options)}: ${done} steps, ${runs} races. In 1,000 races:`,
      JSON.stringify({
        stale: inThousand(stale),
        ...counts,
        vanished: inThousand(vanished),
        undone: inThousand(undone),
      }),
    )
    expect(undone, 'values of `set` that an answer of an earlier request replaced').toBe(0)
    expect(Math.max(...causes.map((cause) => inThousand(older[cause])))).toBeLessThan(isExact ? 1 : 100)
    expect(inThousand(vanished), 'vanished').toBeLessThan(tellsNothing ? 50 : 1)
  },
)
