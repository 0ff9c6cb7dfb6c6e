import { loadCompiler } from './edit/compile.js'
import { compiled, known } from './edit/modules.js'
import { loadAllTexts } from './edit/sources.js'
import { loadAll } from './run.js'
import type { Runnable } from './run.js'

const frameworks: readonly Runnable[] = ['react', 'vue', 'svelte']

/**
 * Loads all that the playground can need, and keeps it in the browser, so that the page works without a network, also after a
 * reload. Does nothing where the browser has no service workers.
 *
 * @param base - where the site stands on its host
 */
export async function keepOffline(base: string): Promise<void> {
  performance.setResourceTimingBufferSize(2000)
  const modules = frameworks.flatMap((framework) => [
    ...Object.values(known[framework]),
    ...Object.values(compiled[framework]),
  ])
  await Promise.all([
    loadAll(),
    loadAllTexts(),
    ...frameworks.map((framework) => loadCompiler(framework)),
    ...modules.map((load) => load()),
  ])
  if (!('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register(`${base}play-worker.js`, { scope: `${base}play` })
  const loaded = [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
  const urls = new Set(loaded.map(({ name }) => name.replace(/[?#].*/, '')))
  const cache = await caches.open('selfsame-play')
  const ours = [...urls].filter((url) => url.startsWith(location.origin))
  await Promise.all(ours.map((url) => cache.add(url).catch(() => {})))
  document.documentElement.dataset['offline'] = 'ready'
}
