/**
 * The scenarios, and the targets of Selfsame.
 *
 * @typedef {object} Row one figure of one library in one round, or the reason why it is missing
 * @property {string} scenario - the id of a {@link Scenario}
 * @property {string} metric - the id of a {@link Metric} of it
 * @property {string} library - the id of a library
 * @property {number} size - of the data; 0 if the scenario has none
 * @property {number} round - counted from 1; the result is the median of all rounds
 * @property {number} [value] - in the unit of the metric; absent if `missing` gives the reason
 * @property {string} [missing] - the reason, as a sentence for readers
 * @property {string} [note] - a remark on the figure, for readers
 *
 * @typedef {object} Metric
 * @property {string} id
 * @property {string} title
 * @property {'us' | 'ns' | 'ms' | 'B' | 'kB' | 'MB' | 'count'} unit - milliseconds are shown as is, others scaled
 * @property {boolean} [isReference] - a reference value of no library, excluded from comparisons
 * @property {boolean} [isFact] - a count that is equal in every run: compared with `===`, never plotted
 *
 * @typedef {object} Target
 * @property {string} title - the comparison
 * @property {number} limit
 * @property {'p' | 'x' | 'x floor' | Metric['unit']} unit - p: times `JSON.parse` of the same text in the same process; x: times another figure
 * @property {(figures: Figures) => number | undefined} figure - the figure to compare with the limit; `undefined` if it is unknown
 * @property {(size: number) => boolean} [appliesTo] - true for the sizes that it applies to. @default all
 * @property {boolean} [isExact] - the figure must equal the limit, not just stay below it
 *
 * @typedef {object} Scenario
 * @property {string} id
 * @property {string} title
 * @property {string} text - the measured action
 * @property {Metric[]} metrics - the first one is compared and plotted
 * @property {Target[]} [targets]
 *
 * The medians of Selfsame at one size.
 * @typedef {(scenario: string, metric: string, library?: string) => number | undefined} Figures
 */

/** @type {(a: number | undefined, b: number | undefined) => number | undefined} */
const ratio = (a, b) => (a === undefined || b === undefined || b === 0 ? undefined : a / b)

/** @type {(figures: Figures, scenario: string, metric: string) => number | undefined} */
const toFloor = (figures, scenario, metric) =>
  ratio(figures(scenario, metric), figures(scenario, metric, 'floor'))

/** A cost beyond that of parsing, in units of parsing. @type {(figures: Figures, scenario: string, metric: string) => number | undefined} */
function beyondParsing(figures, scenario, metric) {
  const figure = figures(scenario, metric)
  const parse = figures('P', 'time')
  return figure === undefined || parse === undefined ? undefined : ratio(figure - parse, parse)
}

/** @type {Scenario[]} */
export const storeScenarios = [
  {
    id: 'P',
    title: 'Parse only',
    text: '`JSON.parse` of the text that the library is given. The measure p of what follows; no library does less.',
    metrics: [{ id: 'time', title: 'parse', unit: 'us', isReference: true }],
  },
  {
    id: 'A',
    title: 'Ingest',
    text: 'The text of a list is parsed and stored in an empty store, by the call that writes what an application has in hand: what a socket brought, or a test. What a request brings is in C.',
    metrics: [{ id: 'time', title: 'parse and store', unit: 'us' }],
    targets: [
      { title: 'beyond parsing', limit: 1, unit: 'p', figure: (f) => beyondParsing(f, 'A', 'time') },
      {
        title: 'beyond parsing, the further goal',
        limit: 0.6,
        unit: 'p',
        figure: (f) => beyondParsing(f, 'A', 'time'),
      },
      { title: 'beside the floor', limit: 3, unit: 'x floor', figure: (f) => toFloor(f, 'A', 'time') },
    ],
  },
  {
    id: 'B',
    title: 'The same answer again',
    text: 'As in polling: the text of the list is parsed and stored over what is there, and the list is read. Somebody listens to it.',
    metrics: [
      { id: 'time', title: 'parse, store and read', unit: 'us' },
      { id: 'pushed', title: 'the same without a request, as in A', unit: 'us' },
      { id: 'kept', title: 'members that stayed ===, of 1', unit: 'count', isFact: true },
      { id: 'list', title: 'lists that stayed ===, of 1', unit: 'count', isFact: true },
      { id: 'calls', title: 'calls of the listener', unit: 'count', isFact: true },
    ],
    targets: [
      { title: 'beyond parsing', limit: 0.4, unit: 'p', figure: (f) => beyondParsing(f, 'B', 'time') },
      {
        title: 'without a request, beyond parsing',
        limit: 0.6,
        unit: 'p',
        figure: (f) => beyondParsing(f, 'B', 'pushed'),
      },
      { title: 'lists ===', limit: 1, unit: 'count', isExact: true, figure: (f) => f('B', 'list') },
      { title: 'members ===', limit: 1, unit: 'count', isExact: true, figure: (f) => f('B', 'kept') },
      { title: 'calls', limit: 0, unit: 'count', isExact: true, figure: (f) => f('B', 'calls') },
    ],
  },
  {
    id: 'C',
    title: 'Cold read',
    text: 'The first read of the list after it was stored; and what an application waits for: from the text to the list in hand, with all that a request to the library takes.',
    metrics: [
      { id: 'time', title: 'read', unit: 'us' },
      { id: 'hand', title: 'parse, store and read', unit: 'us' },
      { id: 'seen', title: 'the same with a middleware that sees payloads', unit: 'us' },
    ],
    targets: [
      {
        title: 'list in hand, beyond parsing',
        limit: 1,
        unit: 'p',
        figure: (f) => beyondParsing(f, 'C', 'hand'),
      },
      {
        title: 'with a middleware, beside none',
        limit: 1.5,
        unit: 'x',
        figure: (f) => ratio(f('C', 'seen'), f('C', 'hand')),
      },
    ],
  },
  {
    id: 'D',
    title: 'Warm read',
    text: 'The list is read again; nothing happened.',
    metrics: [
      { id: 'time', title: 'read by one who is mounted', unit: 'us' },
      { id: 'key', title: 'read by its key', unit: 'us' },
    ],
    targets: [
      { title: 'mounted', limit: 0.1, unit: 'us', figure: (f) => f('D', 'time') },
      { title: 'by key', limit: 0.1, unit: 'us', figure: (f) => f('D', 'key') },
    ],
  },
  {
    id: 'E',
    title: 'One record changed',
    text: 'The answer to a change of one issue, with its unchanged user and labels in it, is parsed and stored; then the list is read.',
    metrics: [
      { id: 'time', title: 'parse, store and read', unit: 'us' },
      { id: 'write', title: 'parse and store alone', unit: 'us' },
      { id: 'pushed', title: 'parse, store and read without a request, as in A', unit: 'us' },
      { id: 'renewed', title: 'members with a new reference', unit: 'count', isFact: true },
    ],
    targets: [
      { title: 'with the read', limit: 4, unit: 'x floor', figure: (f) => toFloor(f, 'E', 'time') },
      { title: 'the write', limit: 3, unit: 'x floor', figure: (f) => toFloor(f, 'E', 'write') },
      {
        title: 'without a request, at 100',
        limit: 8,
        unit: 'x floor',
        appliesTo: (size) => size === 100,
        figure: (f) => toFloor(f, 'E', 'pushed'),
      },
      {
        title: 'without a request, from 1,000 on',
        limit: 4,
        unit: 'x floor',
        appliesTo: (size) => size >= 1000,
        figure: (f) => toFloor(f, 'E', 'pushed'),
      },
      { title: 'renewed', limit: 1, unit: 'count', isExact: true, figure: (f) => f('E', 'renewed') },
    ],
  },
  {
    id: 'E2',
    title: 'One shared user changed',
    text: 'The answer to a change of one user, whom a hundredth of the issues show, is parsed and stored; then the list is read.',
    metrics: [
      { id: 'time', title: 'parse, store and read', unit: 'us' },
      {
        id: 'renewed',
        title: 'members with a new reference, per issue of that user',
        unit: 'count',
        isFact: true,
      },
    ],
    targets: [{ title: 'with the read', limit: 3, unit: 'x floor', figure: (f) => toFloor(f, 'E2', 'time') }],
  },
  {
    id: 'F',
    title: 'One of many readers',
    text: 'Each issue of the list has a reader that listens to it alone. The answer to a change of one issue is parsed and stored, until its reader is told. Mounting counts all that the readers need, a query of their own for instance.',
    metrics: [
      { id: 'time', title: 'until all are told', unit: 'us' },
      { id: 'mount', title: 'to mount a reader', unit: 'us' },
      { id: 'calls', title: 'readers told', unit: 'count', isFact: true },
    ],
    targets: [
      {
        title: 'at 10,000 readers',
        limit: 15,
        unit: 'us',
        appliesTo: (size) => size === 10_000,
        figure: (f) => f('F', 'time'),
      },
      { title: 'to mount a reader', limit: 3, unit: 'us', figure: (f) => f('F', 'mount') },
      { title: 'readers told', limit: 1, unit: 'count', isExact: true, figure: (f) => f('F', 'calls') },
    ],
  },
  {
    id: 'G',
    title: 'A filtered and sorted list',
    text: 'The open issues, those with most comments first: derived after a write that concerns an issue (parse, store and derive), after one that does not (derive alone), and for the first time (derive alone, after the request for the list). 10 ns: less than the clock can tell.',
    metrics: [
      { id: 'related', title: 'after a related write, with it', unit: 'us' },
      { id: 'unrelated', title: 'after an unrelated write, without it', unit: 'us' },
      { id: 'first', title: 'first', unit: 'us' },
      { id: 'runs', title: 'runs of the function after an unrelated write', unit: 'count', isFact: true },
    ],
    targets: [
      {
        title: 'after a related write',
        limit: 1.5,
        unit: 'x floor',
        figure: (f) => toFloor(f, 'G', 'related'),
      },
      { title: 'after an unrelated write', limit: 0.3, unit: 'us', figure: (f) => f('G', 'unrelated') },
      { title: 'its runs', limit: 0, unit: 'count', isExact: true, figure: (f) => f('G', 'runs') },
      {
        title: 'first, from 1,000 on',
        limit: 2,
        unit: 'x floor',
        appliesTo: (size) => size >= 1000,
        figure: (f) => toFloor(f, 'G', 'first'),
      },
    ],
  },
  {
    id: 'H',
    title: 'Memory',
    text: 'What the heap grew by for each issue of the list, with its share of users and labels, after garbage collection.',
    metrics: [
      { id: 'read', title: 'after ingest, read, poll and read', unit: 'B' },
      { id: 'ingested', title: 'after ingest', unit: 'B' },
      { id: 'parsed', title: 'of what was parsed, without any library', unit: 'B', isReference: true },
    ],
    targets: [
      {
        title: 'after ingest, at 100,000',
        limit: 700,
        unit: 'B',
        appliesTo: (size) => size === 100_000,
        figure: (f) => f('H', 'ingested'),
      },
      {
        title: 'after reads, at 100,000',
        limit: 1000,
        unit: 'B',
        appliesTo: (size) => size === 100_000,
        figure: (f) => f('H', 'read'),
      },
    ],
  },
  {
    id: 'cycle',
    title: 'A cycle of 4,000 records',
    text: 'Each record names the next, the last one the first. Their text is parsed and stored, and they are read for the first time, which resolves all of them.',
    metrics: [
      { id: 'time', title: 'parse, store and read', unit: 'us' },
      { id: 'memory', title: 'what the heap grew by', unit: 'MB' },
    ],
    targets: [
      { title: 'with the first read', limit: 25_000, unit: 'us', figure: (f) => f('cycle', 'time') },
      { title: 'growth', limit: 4, unit: 'MB', figure: (f) => f('cycle', 'memory') },
    ],
  },
]

/** The number of issues in a fresh process, each with one reader. */
export const coldSize = 1000

/** @type {Scenario[]} */
export const coldScenarios = [
  {
    id: 'K',
    title: 'A fresh process',
    text: 'The first screen of an application: each step runs for the first time in its process, before the engine compiled anything. In one process the list is requested, stored and read. In another one the list is pushed, as in A; then each issue has a reader that listens to it alone, which reads it for the first time; then one issue is changed, until its reader is told.',
    metrics: [
      { id: 'hand', title: 'parse, store and read, the first time', unit: 'us' },
      { id: 'push', title: 'parse and store without a request, the first time', unit: 'us' },
      { id: 'mount', title: 'to mount a reader, of the first 1,000', unit: 'us' },
      { id: 'write', title: 'the first change, until all are told', unit: 'us' },
      { id: 'load', title: 'to load the library', unit: 'us' },
    ],
    targets: [
      { title: 'to mount a reader', limit: 15, unit: 'us', figure: (f) => f('K', 'mount') },
      { title: 'to mount a reader, the further goal', limit: 8, unit: 'us', figure: (f) => f('K', 'mount') },
    ],
  },
]

/** The number of records of which some are collected. */
export const garbageSize = 200_000

/** The parts to measure, each in a fresh process: how many of the pages nobody reads any more. */
export const garbageParts = /** @type {const} */ ({ all: 1, few: 0.01 })

/** @type {Scenario[]} */
export const garbageScenarios = [
  {
    id: 'L',
    title: 'Garbage collection',
    text: 'The cache holds pages of ten records. Of all pages, or of one in a hundred, no reader is left, and their time is up. Every turn of the event loop is measured until they are gone: a click waits for as long. Turns below 0.1 ms are left out. The engine collects its own garbage in some of them, of objects that are in use as much as of those that are not: the longest turn is shown with these pauses and without them.',
    metrics: [
      { id: 'longest-all', title: 'the longest turn, when all pages go', unit: 'ms' },
      {
        id: 'own-all',
        title: 'the longest turn without pauses of the engine, when all pages go',
        unit: 'ms',
      },
      { id: 'median-all', title: 'the median turn, when all pages go', unit: 'ms' },
      { id: 'longest-few', title: 'the longest turn, when one page in a hundred goes', unit: 'ms' },
      {
        id: 'own-few',
        title: 'the longest turn without pauses of the engine, when one page in a hundred goes',
        unit: 'ms',
      },
      { id: 'median-few', title: 'the median turn, when one page in a hundred goes', unit: 'ms' },
    ],
    targets: [
      {
        title: 'the longest turn, when all pages go',
        limit: 8,
        unit: 'ms',
        figure: (f) => f('L', 'longest-all'),
      },
      {
        title: 'the same without pauses of the engine',
        limit: 8,
        unit: 'ms',
        figure: (f) => f('L', 'own-all'),
      },
      {
        title: 'when one page in a hundred goes',
        limit: 8,
        unit: 'ms',
        figure: (f) => f('L', 'longest-few'),
      },
      {
        title: 'the same without pauses of the engine',
        limit: 8,
        unit: 'ms',
        figure: (f) => f('L', 'own-few'),
      },
    ],
  },
]

/** @type {(f: Figures, scenario: string, metric: string) => number | undefined} */
const toTanstackDb = (f, scenario, metric) => ratio(f(scenario, metric), f(scenario, metric, 'tanstack-db'))

/** Of a query that is kept up to date: the part that a process measures, and what holds for all of them. */
function maintainedScenario(id, part, title, text, targets = []) {
  const unit = /** @type {const} */ ('us')
  const isRead = part !== 'readers'
  return {
    id,
    part,
    title,
    text,
    metrics: [
      { id: 'change', title: 'one change, and the read', unit },
      { id: 'early-change', title: 'the same in a new process', unit },
      ...(isRead
        ? [
            { id: 'first', title: 'first read in a new store', unit },
            { id: 'another', title: 'first read of a further query', unit },
            { id: 'early-first', title: 'first read in a new process', unit },
          ]
        : []),
    ],
    targets: [
      ...targets,
      {
        title: 'a change beside TanStack DB',
        limit: 1,
        unit: /** @type {const} */ ('x'),
        figure: (f) => toTanstackDb(f, id, 'change'),
      },
      ...(isRead ? readTargets(id) : []),
    ],
  }
}

function readTargets(id) {
  return ['first', 'another'].flatMap((metric) => {
    const title = metric === 'first' ? 'first read in a new store' : 'first read of a further query'
    return [
      {
        title: `${title}, beside the floor`,
        limit: 1.5,
        unit: /** @type {const} */ ('x floor'),
        figure: (f) => toFloor(f, id, metric),
      },
      {
        title: `${title}, beside TanStack DB`,
        limit: 1,
        unit: /** @type {const} */ ('x'),
        figure: (f) => toTanstackDb(f, id, metric),
      },
    ]
  })
}

const tenthOfFloor = (id) => ({
  title: 'a change at 10,000',
  limit: 0.1,
  unit: /** @type {const} */ ('x floor'),
  appliesTo: (size) => size === 10_000,
  figure: (f) => toFloor(f, id, 'change'),
})

/** @type {(Scenario & { part: string })[]} */
export const maintainedScenarios = [
  maintainedScenario(
    'ML',
    'list',
    'A list',
    'The open issues by their number of comments. One issue comes with other comments, and with another state; the list is read.',
    [tenthOfFloor('ML')],
  ),
  maintainedScenario('MW', 'window', 'The first 50', 'The same, of which the first fifty are read.', [
    tenthOfFloor('MW'),
  ]),
  maintainedScenario(
    'MJ',
    'join',
    'A join',
    'The issues of the users of one team, by their number of comments. One issue goes to another user.',
    [tenthOfFloor('MJ')],
  ),
  maintainedScenario(
    'MG',
    'groups',
    'Groups with counts',
    'The number of issues of each of 1,000 users. One issue goes to another user.',
    [tenthOfFloor('MG')],
  ),
  maintainedScenario(
    'MR',
    'readers',
    '1,000 readers',
    'Each of 1,000 users has a reader of his issues, by their number of comments. One issue goes to another user: two readers are told.',
    [tenthOfFloor('MR')],
  ),
]
