// `npm run check`: linting, formatting, types and unit tests, side by side. It takes what did not change from caches in
// node_modules/.cache. With `--all`, as in `npm test`: all files anew, and in place of the unit tests the builds of
// the packages, and the installation of what the fixtures need.
import { runSideBySide } from './side-by-side.mjs'

const isAll = process.argv.includes('--all')
const cache = 'node_modules/.cache'
const npm = (script, ...options) => ['npm', 'run', '--silent', script, ...(isAll ? [] : ['--', ...options])]

const types = {
  // Its `--incremental` copies the sources to a folder without the `imports` of their package.json.
  'types of Svelte components': ['npm', 'run', '--silent', 'types:svelte'],
  'types of Vue components': npm(
    'types:vue',
    ...['--incremental', '--tsBuildInfoFile', `${cache}/vue.tsbuildinfo`],
  ),
}
const lint = {
  lint: ['oxlint', '--deny-warnings'],
  'unused exports': npm('lint:unused'),
  // By content: Git gives files a new time when a branch is changed.
  formatting: npm(
    'lint:format',
    ...['--cache', '--cache-strategy', 'content', '--cache-location', `${cache}/formatted`],
  ),
}

// The longest first: it takes as long as all others together.
const parts = isAll
  ? {
      'types, and built packages': ['npm', 'run', '--silent', 'test:build'],
      'installed fixtures': ['node', 'conformance/fixtures/install.mjs'],
      ...types,
      ...lint,
    }
  : {
      'unit tests': ['vitest', 'run', '--project', 'unit', '--reporter', 'dot'],
      ...types,
      types: npm('types:packages'),
      ...lint,
    }

const succeeded = await runSideBySide(parts, (text) => process.stdout.write(text))
process.exitCode = succeeded ? 0 : 1
