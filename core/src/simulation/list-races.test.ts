import { expect, test } from 'vitest'
import { ListRace } from './testing-list-race.js'
import type { ListRaceOptions } from './testing-list-race.js'
import { createRandom } from './testing-random.js'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20261120)
/** The number of races of each variant. */
const races = Number(process.env['LIST_RACES'] ?? 60)
/** Repeats a single race. */
const only = process.env['LIST_RACE']

const styles = [false, true].flatMap((isEarly) => [false, true].map((isRuled) => ({ isEarly, isRuled })))

const variants: readonly ListRaceOptions[] = [
  ...(['full', 'partial', 'empty'] as const).flatMap((answers) =>
    styles.map((style) => ({ ...style, answers })),
  ),
  // What another client did, the full answer to a change tells.
  ...styles.map((style) => ({ ...style, answers: 'full' as const, hasOthers: true })),
]

/** Races of other seeds that ended wrong once, by the seed and its race. */
const known = [
  [777, 54],
  [777, 147],
  [777, 179],
  [777, 180],
  [31337, 226],
  [31337, 316],
  [4242, 829],
  [555, 300],
  [9001, 44],
  [70002, 266],
  [80001, 124],
  [62013, 82],
  [62015, 8],
  [9512, 62],
] as const

test.each(variants)(
  'a list that is Valid is as on the server, whatever is handled and answered when: %o',
  async (options) => {
    const all = Array.from({ length: races }, (_, index) => [seed, index] as const)
    const chosen = only === undefined ? [...known, ...all] : [[seed, Number(only)] as const]
    let stale = 0
    for (const [of, number] of chosen) {
      const race = new ListRace(createRandom(of * 1000 + number), options)
      const again = () => `\nRun it again: PROPERTY_SEED=${of} LIST_RACE=${number}\n${race.log.join('\n')}`
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
