import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withPages } from './measure.mjs'

/** Who keeps what was received. */
const keepers = ['selfsame', 'tanstack-query', 'tanstack-query-each']
/** Who keeps what was not sent. */
const outboxes = ['selfsame-outbox', 'tanstack-db-outbox']

/** The count of mutations that wait. */
const queued = 100

/** @type {(a: number | undefined, b: number | undefined) => number | undefined} */
const ratio = (a, b) => (a === undefined || b === undefined || b === 0 ? undefined : a / b)

/** @type {(a: number | undefined, b: number | undefined) => number | undefined} */
const less = (a, b) => (a === undefined || b === undefined ? undefined : a - b)

/** @type {import('../src/catalogue.mjs').Scenario[]} */
const scenarios = [
  {
    id: 'kept',
    title: 'Data that outlasts a reload',
    text: 'Lists of 100 issues, and their users, are stored in IndexedDB. Then one issue changes, for the second time. Then the page is loaded again, and shows one list. Busy: the processor time of the main thread until nothing is written any more, less that of a page that waits as long.',
    metrics: [
      { id: 'first', title: 'from the start to the first list', unit: 'ms' },
      { id: 'all', title: 'until all is restored', unit: 'ms' },
      { id: 'start', title: 'busy at the start', unit: 'ms' },
      { id: 'change', title: 'busy with one change', unit: 'ms' },
      { id: 'change-bytes', title: 'written for one change', unit: 'kB' },
      { id: 'change-rows', title: 'rows written for one change', unit: 'count', isFact: true },
      { id: 'save', title: 'busy while all is received and stored', unit: 'ms' },
      { id: 'receive', title: 'busy while all is received, without storing', unit: 'ms' },
      { id: 'save-rows', title: 'rows written for all', unit: 'count' },
    ],
    targets: [
      { title: 'to the first list', limit: 50, unit: 'ms', figure: (f) => f('kept', 'first') },
      {
        title: 'busy with storing 10,000 records, without receiving them',
        limit: 150,
        unit: 'ms',
        appliesTo: (size) => size === 10_000,
        figure: (f) => less(f('kept', 'save'), f('kept', 'receive')),
      },
      { title: 'busy with one change', limit: 1, unit: 'ms', figure: (f) => f('kept', 'change') },
      {
        title: 'to the first list, beside a snapshot',
        limit: 1,
        unit: 'x',
        figure: (f) => ratio(f('kept', 'first'), f('kept', 'first', 'tanstack-query')),
      },
      {
        title: 'busy with one change, beside a snapshot',
        limit: 1,
        unit: 'x',
        figure: (f) => ratio(f('kept', 'change'), f('kept', 'change', 'tanstack-query')),
      },
    ],
  },
  {
    id: 'outbox',
    title: 'Mutations that wait',
    text: `Without a network ${queued} issues are changed, until all changes are written down. Then the network is back: until the server, which takes 5 ms, has answered all. One order for each record here, one order for all with TanStack DB.`,
    metrics: [
      { id: 'queue', title: 'until all are written down', unit: 'ms' },
      { id: 'queue-busy', title: 'busy with that', unit: 'ms' },
      { id: 'send', title: 'until all are answered', unit: 'ms' },
      { id: 'send-busy', title: 'busy with that', unit: 'ms' },
      { id: 'rows', title: 'rows written', unit: 'count' },
    ],
    targets: [
      {
        title: 'until all are answered, beside TanStack DB',
        limit: 1,
        unit: 'x',
        figure: (f) =>
          ratio(f('outbox', 'send', 'selfsame-outbox'), f('outbox', 'send', 'tanstack-db-outbox')),
      },
    ],
  },
]

/** @type {import('../src/section.mjs').Section} */
export default {
  id: 'offline',
  title: 'Offline',
  text: 'In Chromium, without a window, with its IndexedDB, from pages built for production. Each round has a new profile.',
  scenarios,
  namesLibraries: true,
  libraries: [
    library('selfsame', 'Selfsame', ['@selfsame/core'], '`persist()`, with its defaults.'),
    library(
      'tanstack-query',
      'TanStack Query',
      ['@tanstack/query-core', '@tanstack/query-async-storage-persister', 'idb-keyval'],
      '`persistQueryClient` with `createAsyncStoragePersister` and `idb-keyval`: a snapshot of all, a second after a change.',
    ),
    library(
      'tanstack-query-each',
      'TanStack Query, each',
      ['@tanstack/query-core', '@tanstack/query-persist-client-core', 'idb-keyval'],
      '`experimental_createQueryPersister` with `idb-keyval`: each query by itself, read when it is asked for.',
    ),
    library(
      'selfsame-outbox',
      'Selfsame, outbox',
      ['@selfsame/core'],
      '`outbox()`, with its defaults, over optimistic mutations.',
    ),
    library(
      'tanstack-db-outbox',
      'TanStack DB, offline transactions',
      ['@tanstack/db', '@tanstack/offline-transactions'],
      '`startOfflineExecutor` with `IndexedDBAdapter`, a transaction for each change.',
    ),
  ],
  run,
}

/** @param {string} id @param {string} name @param {string[]} packages @param {string} use @returns {import('../src/libraries.mjs').Library} */
function library(id, name, packages, use) {
  return {
    id,
    name,
    packages,
    use,
    keeps: 'records',
    load: () => Promise.reject(new Error('It is loaded by a page')),
  }
}

/** @param {import('../src/section.mjs').Plan} plan @param {(text: string) => void} say @returns {AsyncIterable<import('../src/catalogue.mjs').Row>} */
async function* run({ rounds, isQuick, scenarios: asked }, say) {
  installPeers(say)
  const isTaken = (id) => asked?.includes(id) ?? true
  yield* withPages([...keepers, ...outboxes], async function* measured(open) {
    for (let round = 1; round <= rounds; round++) {
      for (const size of isQuick ? [1000] : [1000, 10_000, 50_000])
        for (const keeper of isTaken('kept') ? keepers : []) {
          say(`Offline, round ${round} of ${rounds}: ${keeper}, ${size} records`)
          yield* rowsOf('kept', keeper, size, round, await measureKept(open, keeper, size))
        }
      for (const outbox of isTaken('outbox') ? outboxes : []) {
        say(`Offline, round ${round} of ${rounds}: ${outbox}`)
        yield* rowsOf('outbox', outbox, queued, round, await measureOutbox(open, outbox))
      }
    }
  })
}

/** @param {(library: string) => Promise<import('./measure.mjs').Visitor>} open */
async function measureKept(open, keeper, size) {
  const visitor = await open(keeper)
  try {
    const receiving = keeper === 'selfsame' ? await visitor.run('receive', size) : undefined
    if (receiving !== undefined) await visitor.reload()
    const saved = await visitor.run('fill', size)
    const savedRows = await visitor.run('written', size)
    await visitor.run('change', size)
    const quiet = await visitor.run('quiet', size)
    const changed = await visitor.run('change', size)
    const changedRows = await visitor.run('written', size)
    await visitor.reload()
    const { first, all, busy } = await visitor.run('start', size)
    return {
      first,
      all,
      start: busy,
      change: changed.busy - quiet.busy,
      'change-bytes': changedRows.bytes / 1000,
      'change-rows': changedRows.rows,
      save: saved.busy - quiet.busy,
      receive: receiving && receiving.busy - quiet.busy,
      'save-rows': savedRows.rows,
    }
  } finally {
    await visitor.close()
  }
}

/** @param {(library: string) => Promise<import('./measure.mjs').Visitor>} open */
async function measureOutbox(open, outbox) {
  const visitor = await open(outbox)
  try {
    const kept = await visitor.run('queue', queued)
    const { rows } = await visitor.run('written', queued)
    const sent = await visitor.run('send', queued)
    return {
      queue: kept.queue,
      'queue-busy': kept.busy,
      send: sent.send,
      'send-busy': sent.busy,
      rows,
    }
  } finally {
    await visitor.close()
  }
}

function rowsOf(scenario, id, size, round, figures) {
  return Object.entries(figures).flatMap(([metric, value]) =>
    value === undefined ? [] : { scenario, metric, library: id, size, round, value },
  )
}

/** @param {(text: string) => void} say */
function installPeers(say) {
  if (existsSync(new URL('node_modules', import.meta.url))) return
  say('Installs what is compared offline (npm ci in bench/offline/)')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}
