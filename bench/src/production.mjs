import { buildChangedPackages } from '../../tools/repository/build.mjs'

// Plugins read the environment, where a test runner has set `test`.
process.env.NODE_ENV = 'production'

// What is measured is what is published.
await buildChangedPackages()

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
    plugins,
    resolve: {
      conditions: ['browser', 'module', 'svelte', 'production'],
      dedupe: ['react', 'react-dom', 'vue', 'svelte'],
    },
  }
}
