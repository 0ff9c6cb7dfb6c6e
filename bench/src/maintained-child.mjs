import { maintainedLibraries } from './maintained-section.mjs'
import { measureMaintained } from './maintained/measure.mjs'

// A process that measures one part with one library.

const [, , id, size, part, limitMs] = process.argv

/** @returns {Promise<{ figures: Record<string, number> } | { missing: string }>} */
async function run() {
  try {
    const adapter = await maintainedLibraries.find((library) => library.id === id)?.loadAdapter()
    return { figures: await measureMaintained(adapter, Number(size), part, Number(limitMs)) }
  } catch (error) {
    if (process.env.BENCH_DEBUG !== undefined) console.error(id, error)
    return { missing: `Failed: ${String(error).split('\n', 1)[0].slice(0, 200)}` }
  }
}

process.send(await run(), () => process.exit())
