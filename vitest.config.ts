import { existsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { reactCompiler } from './bindings/react/react-compiler.js'
import { builtPackages } from './conformance/fixtures/built-packages.js'
import { chromiumPath, chromiumArgs } from './conformance/src/chromium.js'

/** Tests read sources, never builds. */
const source = ['selfsame-source', 'module', 'development|production']

/** As an application gets the packages, and its framework, when it is built for production. */
const built = ['module', 'production']

/** What runs on devices only. */
const device = Object.fromEntries(
  ['react-native', '@react-native-community/netinfo'].map((name) => [
    name,
    join(import.meta.dirname, 'docs/examples/native-device.ts'),
  ]),
)

const hasChromium = existsSync(chromiumPath)
if (!hasChromium) {
  if (process.env.CI) throw new Error(`The tests in Chromium need ${chromiumPath}: apt-get install chromium`)
  console.warn(
    `Left out: every test in a browser. No Chromium at ${chromiumPath} (apt-get install chromium).`,
  )
}

/** React 18 in all of its modules: one of React 19 among them would render with that. */
const react18 = ['react', 'react-dom'].map((name) => ({
  find: new RegExp(`^${name}(?=/|$)`),
  replacement: fileURLToPath(new URL(`conformance/fixtures/react-18/node_modules/${name}`, import.meta.url)),
}))

/** Vitest names the instances of each project, so each gets its own. */
const inChromium = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: { executablePath: chromiumPath, args: chromiumArgs } }),
  instances: [{ browser: 'chromium' as const }],
})

/** `npm test` tries a third of what is the same for each framework or look. The log names it, and `TURN` chooses it. */
const chosen =
  process.env.TURN ?? (process.env.npm_lifecycle_event === 'test' ? Math.floor(Math.random() * 3) : undefined)
const turn = chosen === undefined ? undefined : Number(chosen)

/**
 * Whole pages in a real browser depend on timers of the machine. In CI such a test has a second try, and the report names
 * it with its first error.
 */
const retryOfPages = process.env.CI ? { retry: 1 } : {}

const isLong = process.env.npm_lifecycle_event === 'test:long'

const serverRendering = ['core/server-rendering.test.ts', 'bindings/*/server-rendering.test.{ts,tsx}']
const conformance = ['core/conformance.test.ts', 'bindings/*/conformance.test.{ts,tsx}']

const bindings = ['react', 'vue', 'svelte'].filter((_, index) => turn === undefined || index % 3 === turn)
const inProduction = bindings.map((binding) => `bindings/${binding}/conformance.test.{ts,tsx}`)

export default defineConfig({
  test: {
    // One less is the default: half of a machine with two cores.
    maxWorkers: availableParallelism(),
    projects: [
      {
        resolve: { conditions: source },
        ssr: { resolve: { conditions: source } },
        test: {
          name: 'unit',
          environment: 'node',
          // Starts a file sooner than a process does.
          pool: 'threads',
          setupFiles: ['conformance/src/property-seed.ts', 'conformance/src/patience.ts'],
          include: [
            'core/src/**/*.test.ts',
            'tools/{codemod,eslint-plugin,openapi,devtools}/src/**/*.test.ts',
            'tools/repository/*.test.ts',
            'conformance/src/**/*.test.ts',
            'docs/examples/*.test.ts',
            'docs/examples/migrating/*.test.ts',
            'bench/src/**/*.test.mjs',
          ],
          exclude: [
            '**/*.memory.test.ts',
            '**/*.budget.test.ts',
            '**/*.browser.test.ts',
            'core/src/simulation/**',
            '**/*.long.test.ts',
            'tools/codemod/src/samples.test.ts',
            'tools/openapi/src/tarball.test.ts',
            'tools/eslint-plugin/src/packed.test.ts',
          ],
          // Properties and the largest payloads take seconds of their own, and more on a busy machine.
          testTimeout: 240_000,
        },
      },
      {
        resolve: { conditions: source },
        ssr: { resolve: { conditions: source } },
        test: {
          name: 'long',
          environment: 'node',
          include: ['core/src/simulation/*.test.ts', '{core,tools/openapi}/src/**/*.long.test.ts'],
          // `npm run test:long` takes as long as it takes; each other run a part of it.
          env: isLong ? {} : { LONG_SECONDS: '40' },
          testTimeout: isLong ? 3_600_000 : 300_000,
        },
      },
      {
        resolve: { conditions: source },
        ssr: { resolve: { conditions: source } },
        test: {
          name: 'server',
          environment: 'node',
          include: [
            'demo-apps/server/src/**/*.test.ts',
            'demo-apps/shared/src/**/*.test.ts',
            'demo-apps/node/src/**/*.test.ts',
          ],
          // A Postgres is started in each file.
          testTimeout: 60_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        resolve: { conditions: source },
        ssr: { resolve: { conditions: source } },
        test: {
          name: 'memory',
          testTimeout: 180_000,
          environment: 'node',
          include: ['{core,tools/devtools}/src/**/*.memory.test.ts', 'core/src/**/*.budget.test.ts'],
          pool: 'forks',
          // Interpreted and in one thread, code allocates the same on each machine. When it is compiled depends on how busy that is.
          execArgv: ['--expose-gc', '--no-opt', '--no-sparkplug', '--single-threaded'],
        },
      },
      {
        test: {
          name: 'size',
          environment: 'node',
          include: ['bench/size/**/*.test.mjs'],
          testTimeout: 180_000,
        },
      },
      {
        plugins: [react(), vue(), svelte({ configFile: false }), svelteTesting({ autoCleanup: false })],
        resolve: { conditions: source, alias: device },
        ssr: { resolve: { conditions: source } },
        test: {
          name: 'conformance',
          pool: 'threads',
          testTimeout: 60_000,
          setupFiles: ['conformance/src/patience.ts', 'conformance/src/svelte-cleanup.ts'],
          environment: 'happy-dom',
          include: [
            ...conformance,
            ...serverRendering,
            'bindings/*/src/**/*.test.{ts,tsx}',
            'demo-apps/*/src/**/*.test.tsx',
            'docs/examples/*.test.tsx',
            'docs/examples/migrating/*.test.tsx',
          ],
          exclude: ['**/node_modules/**', '**/*.browser.test.{ts,tsx}'],
        },
      },
      {
        plugins: [
          builtPackages(),
          react(),
          vue(),
          svelte({ configFile: false, compilerOptions: { dev: false } }),
          svelteTesting({ autoCleanup: false }),
        ],
        oxc: { jsx: { runtime: 'automatic', development: false } },
        resolve: { conditions: built, alias: device },
        ssr: { resolve: { conditions: built } },
        test: {
          name: 'production',
          env: { NODE_ENV: 'production' },
          pool: 'threads',
          testTimeout: 60_000,
          setupFiles: [
            'conformance/src/patience.ts',
            'conformance/src/svelte-cleanup.ts',
            'bindings/react/production.ts',
          ],
          globalSetup: ['conformance/fixtures/built-packages.ts'],
          environment: 'happy-dom',
          include: ['bindings/react/production.test.ts', ...inProduction],
        },
      },
      {
        plugins: [react()],
        resolve: { conditions: source, alias: react18 },
        ssr: { resolve: { conditions: source } },
        test: {
          name: 'react-18',
          provide: { place: 'React 18' as const },
          testTimeout: 60_000,
          environment: 'happy-dom',
          include: ['bindings/react/react-18.test.ts'],
          globalSetup: ['conformance/fixtures/install-react-18.ts'],
        },
      },
      {
        plugins: [reactCompiler(), react(), vue(), svelte({ configFile: false }), svelteTesting()],
        resolve: { conditions: source },
        ssr: { resolve: { conditions: source } },
        test: {
          name: 'react-compiler',
          testTimeout: 60_000,
          environment: 'happy-dom',
          include: [
            'bindings/react/react-compiler.test.ts',
            'docs/examples/{framework-samples,guides}.test.tsx',
          ],
        },
      },
      {
        plugins: [react(), vue(), svelte({ configFile: false })],
        resolve: { conditions: source },
        ssr: { resolve: { conditions: source } },
        test: {
          name: 'ssr',
          environment: 'node',
          include: ['bindings/*/ssr.server.test.{ts,tsx}'],
          pool: 'forks',
          execArgv: ['--expose-gc'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        test: {
          name: 'fixtures',
          environment: 'node',
          provide: { turn },
          include: [
            'conformance/fixtures/*.test.ts',
            'tools/codemod/src/samples.test.ts',
            'tools/eslint-plugin/src/packed.test.ts',
            'tools/openapi/src/tarball.test.ts',
          ],
          // Installs, builds and starts an application: one takes up to two gigabytes.
          ...(totalmem() < 8e9 ? { fileParallelism: false } : {}),
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        test: {
          name: 'docs',
          environment: 'node',
          provide: { turn },
          include: ['docs/.vitepress/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 400_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      ...(hasChromium
        ? [
            {
              plugins: [react(), vue(), svelte({ configFile: false }), svelteTesting()],
              resolve: { conditions: [...source, 'browser'] },
              // Found only while tests run, a dependency would make the page load again, and its tests fail.
              optimizeDeps: {
                include: [
                  'react',
                  'react-dom',
                  'react-dom/client',
                  'react/jsx-runtime',
                  'react/jsx-dev-runtime',
                  'vue',
                  '@vue/test-utils',
                  'vue/server-renderer',
                  '@selfsame/devtools > @tanstack/devtools',
                  '@selfsame/devtools > @tanstack/react-devtools',
                  '@selfsame/devtools > @vue/devtools-api',
                  '@selfsame/devtools > @vue/devtools-kit',
                ],
              },
              test: {
                name: 'browser',
                // One page at a time has the focus.
                fileParallelism: false,
                provide: { place: 'Chromium' as const },
                testTimeout: 60_000,
                include: [
                  // No DOM is in the core.
                  ...conformance.filter((file) => !file.startsWith('core/')),
                  'core/src/**/*.browser.test.ts',
                  'bindings/vue/server-rendering.test.ts',
                  'bindings/*/src/**/*.browser.test.{ts,tsx}',
                  'tools/devtools/src/*.browser.test.ts',
                ],
                globalSetup: ['core/src/media/testing-server.ts'],
                browser: inChromium(),
              },
            },
            {
              resolve: { conditions: [...source, 'browser'] },
              test: {
                name: 'browser-built',
                fileParallelism: false,
                provide: { place: 'Chromium' as const },
                testTimeout: 60_000,
                include: ['bindings/*/built.browser.test.ts'],
                globalSetup: ['conformance/fixtures/build-for-chromium.ts'],
                browser: inChromium(),
              },
            },
            {
              resolve: { conditions: source },
              ssr: { resolve: { conditions: source } },
              test: {
                name: 'demo',
                environment: 'node' as const,
                provide: { turn },
                include: [
                  'demo-apps/{compare,rows,side-by-side,start}/**/*.test.ts',
                  'conformance/offline/*.test.ts',
                ],
                ...retryOfPages,
                testTimeout: 120_000,
                hookTimeout: 240_000,
                expect: { poll: { timeout: 15_000 } },
              },
            },
            {
              resolve: { conditions: source },
              ssr: { resolve: { conditions: source } },
              test: {
                name: 'applications',
                environment: 'node' as const,
                provide: { turn },
                include: ['demo-apps/*/application.test.ts'],
                ...retryOfPages,
                globalSetup: ['demo-apps/shared/e2e/setup.ts'],
                testTimeout: 120_000,
                hookTimeout: 240_000,
                expect: { poll: { timeout: 15_000 } },
              },
            },
          ]
        : []),
    ],
  },
})
