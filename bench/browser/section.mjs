import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { effortOf, measurePages, steps } from './measure.mjs'
import { missingPackages, pages } from './pages.mjs'

/** The limits of Selfsame: multiples of the time of the framework's hand-written store. */
const limits = {
  'first mount': 1.3,
  'warm mount': 1.1,
  'change one': 1.5,
  'change one, flat': 1.5,
  'change the shared user': 1.2,
  'change one in the sorted view': 1.5,
}

/** Pages with the same design are compared: rows read their own issues, or get them as props. */
const alike = [
  { ours: 'selfsame-rows', floor: 'floor', how: 'rows read' },
  { ours: 'selfsame', floor: 'floor-list', how: 'rows get props' },
]

const quietSteps = steps.filter(({ isQuiet }) => isQuiet)

/** @param {string} framework @returns {import('../src/catalogue.mjs').Scenario} */
function scenarioOf(framework) {
  const id = idOf(framework)
  return {
    id,
    title: `Rendering in ${framework}`,
    text: 'The answer of a request is parsed, stored and rendered: milliseconds from the answer to the changed DOM. After an unrelated write nothing may render.',
    metrics: steps.flatMap((step) =>
      step.isQuiet
        ? [{ id: `${step.name}: renders`, title: `renders of ${step.name}`, unit: 'count', isFact: true }]
        : [
            { id: step.name, title: step.name, unit: 'ms' },
            { id: `${step.name}: rows`, title: `${step.name}: rows rendered`, unit: 'count', isFact: true },
          ],
    ),
    targets: [
      ...Object.entries(limits).flatMap(([step, limit]) =>
        alike.map(({ ours, floor, how }) => ({
          title: `${step}, ${how}`,
          limit,
          unit: /** @type {const} */ ('x floor'),
          figure: (f) => ratio(f(id, step, ours), f(id, step, floor)),
        })),
      ),
      ...alike.map(({ ours, how }) =>
        fact(id, ours, 'change one: rows', 1, `rows rendered for one that changed, ${how}`),
      ),
      ...alike.flatMap(({ ours, how }) =>
        quietSteps.map(({ name }) => fact(id, ours, `${name}: renders`, 0, `renders of ${name}, ${how}`)),
      ),
    ],
  }
}

/** @type {import('../src/section.mjs').Section} */
export default {
  id: 'rendering',
  title: 'Rendering',
  text: 'In Chromium, without a window, from pages built for production. Each page is opened anew in each round, in another order, and shows 1,000 issues with a store and a root of its own for each sample. Time is taken from the action until the DOM shows it, as a MutationObserver sees it; what it shows is compared with what should be. All of it is in an element without display: layout and paint would come after that, and are the work of the browser alone. A counter in rows and views counts renders.',
  scenarios: ['react', 'vue', 'svelte'].map(scenarioOf),
  libraries: pages
    .filter((page, index) => pages.findIndex(({ library }) => library === page.library) === index)
    .map(({ library, name, use }) => ({
      id: library,
      name,
      use,
      packages: pages.filter((page) => page.library === library).flatMap(({ packages }) => packages),
      load: () => Promise.reject(new Error('It is loaded by a page')),
    })),
  run,
}

/** @param {import('../src/section.mjs').Plan} plan @param {(text: string) => void} say @returns {AsyncIterable<import('../src/catalogue.mjs').Row>} */
async function* run({ rounds, isQuick, scenarios }, say) {
  const taking = pages.filter((page) => {
    const isAskedFor = scenarios?.includes(idOf(page.framework)) ?? true
    return isAskedFor && (!isQuick || page.isQuick)
  })
  if (taking.some((page) => missingPackages(page).length > 0)) {
    say('Installs what is rendered (npm ci in bench/browser/)')
    installPeers()
  }
  const effort = isQuick ? effortOf(true) : { ...effortOf(false), rounds }
  for await (const figures of measurePages(taking, effort, say)) yield* rowsOf(figures)
}

function rowsOf({ framework, library, step, round, size, committed, rows, views }) {
  const common = { scenario: idOf(framework), library, size, round }
  if (steps.find(({ name }) => name === step).isQuiet) {
    return [{ ...common, metric: `${step}: renders`, value: rows + views }]
  }
  return [
    { ...common, metric: step, value: committed },
    { ...common, metric: `${step}: rows`, value: rows },
  ]
}

function installPeers() {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}

function fact(id, library, metric, limit, title) {
  return {
    title,
    limit,
    unit: /** @type {const} */ ('count'),
    isExact: true,
    figure: (f) => f(id, metric, library),
  }
}

function ratio(a, b) {
  return a === undefined || b === undefined || b === 0 ? undefined : a / b
}

function idOf(framework) {
  return `I ${framework}`
}
