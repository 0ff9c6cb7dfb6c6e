import { measureAll } from './measure.mjs'
import { additions, peers, pieces } from './pieces.mjs'

const typical = ['react', 'vue', 'svelte'].map((binding) => `${binding}: the typical application`)
const trackers = ['react', 'vue', 'svelte'].map((binding) => `${binding}: a whole tracker`)
const withoutRest = 'core: Controller, Endpoint, Entity'
const bindings = ['react', 'vue', 'svelte'].flatMap((binding) => [
  `${binding}: DataProvider, useSuspense, without core`,
  `${binding}: all of it, without core`,
])

/** @param {string} piece @param {number} limit - kB @param {string} [title] */
const target = (piece, limit, title = piece) => ({
  title,
  limit,
  unit: /** @type {const} */ ('kB'),
  figure: (f) => f('J', 'brotli', piece),
})

/** @type {import('../src/section.mjs').Section} */
export default {
  id: 'size',
  title: 'Sizes',
  text: "Each piece is bundled by Vite, by esbuild and by Rspack as in an application's production build, with nothing that it does not use, minified, and compressed with brotli at its highest level; the largest of the three counts. The framework is not counted. The typical application imports a provider, a hook that reads, REST endpoints, resources and entities; of the other libraries it is what their users import for the same job. The whole tracker imports twelve hooks and components, optimistic updates, a WebSocket, four policies, images and uploads.",
  scenarios: [
    {
      id: 'J',
      title: 'What is shipped',
      text: 'Thousands of bytes of script.',
      metrics: [
        { id: 'brotli', title: 'compressed', unit: 'kB' },
        { id: 'minified', title: 'minified', unit: 'kB' },
      ],
      targets: [
        ...typical.map((piece) => target(piece, 28)),
        ...trackers.map((piece) => target(piece, 36)),
        target(withoutRest, 20),
        ...bindings.map((piece) => target(piece, 2)),
      ],
    },
  ],
  libraries: [...pieces, ...additions, ...peers].map((piece) => ({
    id: piece.name,
    name: piece.name,
    packages: 'packages' in piece ? piece.packages : [],
    use: piece.code.trim().replace(/\s+/g, ' '),
    load: () => Promise.reject(new Error('It is bundled')),
  })),
  whoIsAhead,
  run,
}

/** Compares the typical application with other libraries' imports for the same job. */
function whoIsAhead(rows) {
  const size = (name) =>
    rows.find(({ scenario, metric, library }) => scenario === 'J' && metric === 'brotli' && library === name)
      ?.value
  return ['react', 'vue', 'svelte'].flatMap((binding) => {
    const ours = size(`${binding}: the typical application`)
    const smaller = peers
      .filter(({ name }) => name.toLowerCase().endsWith(`, ${binding}`) && size(name) < ours)
      .map(({ name }) => `${name} (${size(name).toFixed(1)} kB)`)
    return smaller.length === 0
      ? []
      : [`${binding}: the typical application takes ${ours.toFixed(1)} kB. Smaller: ${smaller.join('; ')}.`]
  })
}

/** @param {import('../src/section.mjs').Plan} plan @param {(text: string) => void} say @returns {AsyncIterable<import('../src/catalogue.mjs').Row>} */
async function* run({ scenarios }, say) {
  if (scenarios !== undefined && !scenarios.includes('J')) return
  say('Bundles, and measures the sizes')
  const { rows } = await measureAll()
  for (const { name, missing, ...sizes } of rows) {
    for (const metric of ['brotli', 'minified']) {
      const common = { scenario: 'J', metric, library: name, size: 0, round: 1 }
      yield missing === undefined ? { ...common, value: sizes[metric] / 1000 } : { ...common, missing }
    }
  }
}
