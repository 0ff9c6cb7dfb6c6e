import { Dataset } from './data.mjs'
import { libraries } from './libraries.mjs'
import { measureCold } from './cold.mjs'
import { time } from './measure.mjs'

/**
 * A process that runs each step once.
 *
 * @typedef {{ figures: Record<string, number> } | { missing: string }} Outcome
 */

const [, , id, size, part] = process.argv

/** @returns {Promise<Outcome>} */
async function run() {
  try {
    let adapter
    const library = libraries.find((one) => one.id === id)
    const load = await time(async () => ({ adapter } = await library.load()))
    const data = new Dataset(Number(size), { hasTypenames: adapter.hasTypenames === true })
    return { figures: { load, ...(await measureCold(adapter, data, part)) } }
  } catch (error) {
    if (process.env.BENCH_DEBUG !== undefined) console.error(id, error)
    return { missing: `Failed: ${String(error).split('\n', 1)[0].slice(0, 200)}` }
  }
}

process.send(await run(), () => process.exit())
