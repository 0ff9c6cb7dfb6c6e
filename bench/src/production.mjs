import { fileURLToPath } from 'node:url'

// Plugins ask the environment, and a test runner says there that this is a test.
process.env.NODE_ENV = 'production'

const developmentOff = fileURLToPath(new URL('../../core/src/util/development.off.ts', import.meta.url))

/**
 * Takes Selfsame's packages from their sources, so that nothing has to be built before, and as production has them:
 * the condition that finds sources also finds the warnings of development.
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
 * What all bundles of the benchmark have in common: what an application's own production build does.
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
