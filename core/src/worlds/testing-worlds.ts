import fc from 'fast-check'
import { AppWorld, appStepNames } from './testing-app-world.js'

const styles = fc.record({
  hasRules: fc.boolean(),
  hasOwnIds: fc.boolean(),
  isEarly: fc.boolean(),
  isInfinite: fc.boolean(),
  isRefetched: fc.boolean(),
  isLive: fc.boolean(),
})
const stepsOfWorld = fc.array(fc.tuple(fc.constantFrom(...appStepNames), fc.nat(11), fc.nat(11)), {
  maxLength: 40,
  size: 'max',
})

/**
 * Runs applications with random styles and steps against their server.
 *
 * @returns how often one call was requested at most until all was quiet
 * @throws {Error} naming the seed, and the fewest steps that end wrong
 */
export async function runAppWorlds(runs: number, seed?: number): Promise<number> {
  let most = 0
  const property = fc.asyncProperty(styles, stepsOfWorld, async (style, steps) => {
    const world = new AppWorld(style)
    await world.run(steps)
    most = Math.max(most, world.mostReads)
  })
  await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) })
  return most
}
