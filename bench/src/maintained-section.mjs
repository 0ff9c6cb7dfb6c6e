import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { maintainedScenarios } from './catalogue.mjs'

const child = fileURLToPath(new URL('./maintained-child.mjs', import.meta.url))

/** The sizes of this section: the goals name them. */
const sizes = [1000, 10_000, 100_000]

/** The uses that are compared; `selfsame` is that of `@selfsame/core/maintained`. */
export const maintainedLibraries = [
  {
    id: 'selfsame',
    name: 'Selfsame, maintained',
    keeps: /** @type {const} */ ('records'),
    packages: ['@selfsame/core'],
    use: '`from` of `@selfsame/core/maintained`, subscribed to and read.',
    load: () => import('./adapters/selfsame.mjs'),
    loadAdapter: async () => (await import('./maintained/selfsame.mjs')).maintainedAdapter,
  },
  {
    id: 'selfsame-query',
    name: 'Selfsame, Query',
    keeps: /** @type {const} */ ('records'),
    packages: ['@selfsame/core'],
    use: 'A `Query` that filters and sorts all records.',
    load: () => import('./adapters/selfsame.mjs'),
    loadAdapter: async () => (await import('./maintained/selfsame.mjs')).queryAdapter,
  },
  {
    id: 'floor',
    name: 'hand-written',
    keeps: /** @type {const} */ ('records'),
    packages: [],
    use: 'Two Maps; a read filters and sorts all that is there, if anything changed since.',
    load: () => import('./adapters/floor.mjs'),
    loadAdapter: async () => (await import('./maintained/floor.mjs')).adapter,
  },
  {
    id: 'tanstack-db',
    name: 'TanStack DB',
    keeps: /** @type {const} */ ('records'),
    packages: ['@tanstack/db'],
    use: 'Collections whose `sync` writes what came; `createLiveQueryCollection`, read by `toArray`.',
    load: () => import('./adapters/tanstack-db.mjs'),
    loadAdapter: async () => (await import('./maintained/tanstack-db.mjs')).adapter,
  },
]

/** @type {import('./section.mjs').Section} */
export default {
  id: 'maintained',
  title: 'Queries that maintain themselves',
  text: 'In Node, without rendering. The figures are processor time, with that of the engine’s own threads, so that what else the machine does is not in them. Young objects that preparations leave behind are collected before a first read. Each library runs in a process of its own for each part and size, and all take the same steps. First, while nothing is compiled: the first read of a query, and the median of the first 60 changes. These are the figures of a new process. Then, with 2,000 issues, 30 first reads and 3,000 changes, so that the engine compiles the code. Then again with all issues: the first query of each of seven new stores; seven further queries of the last of them; and 200 changes, after 60 that are not measured. A step that takes too long is taken less often. In each store a screen has read all records before. After each change there is a read, and at the end what is shown must be what the hand-written list shows.',
  scenarios: maintainedScenarios,
  libraries: maintainedLibraries,
  namesLibraries: true,
  run,
}

/** @param {import('./section.mjs').Plan} plan @param {(text: string) => void} say @returns {AsyncIterable<import('./catalogue.mjs').Row>} */
async function* run(plan, say) {
  const taking = maintainedScenarios.filter(({ id }) => plan.scenarios?.includes(id) ?? true)
  for (let round = 1; round <= plan.rounds; round++) {
    for (const size of plan.isQuick ? sizes.slice(0, 2) : sizes) {
      for (const scenario of taking) {
        for (let turn = 0; turn < maintainedLibraries.length; turn++) {
          const library = maintainedLibraries[(turn + round) % maintainedLibraries.length]
          say(`Maintained, ${round} of ${plan.rounds}: ${scenario.title}, ${size}, ${library.name}`)
          const outcome = await measureOnce(library.id, size, scenario.part, plan.limitMs)
          for (const { id: metric } of scenario.metrics) {
            const common = { scenario: scenario.id, metric, library: library.id, size, round }
            const value = outcome.figures?.[metric]
            yield value === undefined
              ? { ...common, missing: outcome.missing ?? 'Not measured.' }
              : { ...common, value }
          }
        }
      }
    }
  }
}

/** @returns {Promise<{ figures?: Record<string, number>, missing?: string }>} */
function measureOnce(library, size, part, limitMs) {
  return new Promise((resolve) => {
    const worker = fork(child, [library, String(size), part, String(limitMs / 2)], {
      execArgv: ['--conditions=production', '--expose-gc'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    let outcome = { missing: 'Failed: it took too long.' }
    const timer = setTimeout(() => worker.kill('SIGKILL'), 4 * limitMs)
    worker.on('message', (message) => (outcome = /** @type {typeof outcome} */ (message)))
    worker.on('exit', () => {
      clearTimeout(timer)
      resolve(outcome)
    })
  })
}
