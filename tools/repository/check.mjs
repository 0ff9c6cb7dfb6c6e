// `npm run check`: linting, formatting, types and unit tests, side by side. It takes what did not change from caches in
// node_modules/.cache and .svelte-check; `npm test` reads all files anew.
import { runSideBySide } from './side-by-side.mjs'

const cache = 'node_modules/.cache'

const succeeded = await runSideBySide(
  {
    // The longest first: it takes as long as all others together.
    'unit tests': ['vitest', 'run', '--project', 'unit', '--reporter', 'dot'],
    'types of Svelte components': ['npm', 'run', '--silent', 'types:svelte', '--', '--incremental'],
    'types of Vue components': [
      ...['npm', 'run', '--silent', 'types:vue', '--'],
      ...['--incremental', '--tsBuildInfoFile', `${cache}/vue.tsbuildinfo`],
    ],
    types: ['tsc', '--build'],
    lint: ['oxlint', '--deny-warnings'],
    'unused exports': ['npm', 'run', '--silent', 'lint:unused'],
    formatting: [
      ...['npm', 'run', '--silent', 'lint:format', '--'],
      // By content: Git gives files a new time when a branch is changed.
      ...['--cache', '--cache-strategy', 'content', '--cache-location', `${cache}/formatted`],
    ],
  },
  (text) => process.stdout.write(text),
)
process.exitCode = succeeded ? 0 : 1
