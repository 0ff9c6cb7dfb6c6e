import { expect, test } from 'vitest'
import { ListRace } from './testing-list-race.js'
import type { ListRaceOptions } from './testing-list-race.js'
import { createRandom } from './testing-random.js'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20261120)
/** The number of races of each variant. */
const races = Number(process.env['LIST_RACES'] ?? 60)
/** Repeats a single race. */
const only = process.env['LIST_RACE']

const variants: readonly ListRaceOptions[] = (['full', 'partial', 'empty'] as const).flatMap((answers) =>
  [false, true].flatMap((isEarly) => [false, true].map((isRuled) => ({ isEarly, answers, isRuled }))),
)

test.each(variants)(
  'a list that is Valid is as on the server, whatever is handled and answered when: %o',
  async (options) => {
    const chosen = only === undefined ? Array.from({ length: races }, (_, index) => index) : [Number(only)]
    let stale = 0
    for (const number of chosen) {
      const race = new ListRace(createRandom(seed * 1000 + number), options)
      const again = () => `\nRun it again: PROPERTY_SEED=${seed} LIST_RACE=${number}\n${race.log.join('\n')}`
      const result = await race.run().catch((error: Error) => expect.fail(`${error.message}${again()}`))
      stale += result.stale
      const [first] = result.differences
      if (first !== undefined)
        expect.fail(
          `${first.what} shows ${first.shown}, and is Valid, but is ${first.truth} on the server.${again()}`,
        )
    }
    console.info(`${JSON.stringify(options)}: ${stale} lists not Valid after ${chosen.length} races`)
  },
)
