import { fileURLToPath } from 'node:url'

// Plugins read the environment, where a test runner has set `test`.
process.env.NODE_ENV = 'production'

const developmentOff = fileURLToPath(new URL('../../core/src/util/development.off.ts', import.meta.url))

/**
 * Imports Selfsame's packages from their sources, so that they need no build, but in their production form: the
 * condition for sources would also enable the warnings of development.
 *
 * @returns {import('vite').Plugin}
 */
function selfsameForProduction() {
  return {
    name: 'selfsame-for-production',
    enforce: 'pre',
    resolveId: (id) => (id === '#development' ? developmentOff : undefined),
  }
}

/**
 * The configuration of all bundles of the benchmark: that of an application's production build.
 *
 * @param {import('vite').PluginOption[]} plugins
 * @returns {import('vite').InlineConfig}
 */
export function productionConfig(plugins) {
  return {
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [selfsameForProduction(), ...plugins],
    resolve: {
      conditions: ['selfsame-source', 'browser', 'module', 'svelte', 'production'],
      dedupe: ['react', 'react-dom', 'vue', 'svelte'],
    },
  }
}
