import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { build } from 'vite'
import { productionConfig } from '../src/production.mjs'

const here = new URL('.', import.meta.url)

/**
 * Builds the page of one library in one framework.
 *
 * @param {import('./pages.mjs').Page} page
 * @param {{ isReadable?: boolean }} [options] - `isReadable`: keeps names, for a profile
 * @returns {Promise<string>} a script
 */
export async function buildPage({ file }, { isReadable = false } = {}) {
  const config = productionConfig([react(), vue(), svelte({ configFile: false })])
  const output = await build({
    ...config,
    root: fileURLToPath(here),
    resolve: {
      ...config.resolve,
      alias: { '#library': fileURLToPath(new URL(`src/libraries/${file}`, here)) },
    },
    build: {
      write: false,
      minify: isReadable ? false : 'oxc',
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('src/page/index.js', here)),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const [chunk] = [output].flat()[0].output
  if (chunk.type !== 'chunk') throw new Error(`${file} was built into no script`)
  return chunk.code
}
