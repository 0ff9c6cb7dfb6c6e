// Keeps the playground without a network: what its page has loaded is answered from the cache, if the network does not.

const name = 'selfsame-play'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { method, url } = event.request
  if (method === 'GET' && new URL(url).origin === self.location.origin)
    event.respondWith(answer(event.request))
})

async function answer(request) {
  const cache = await caches.open(name)
  const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true })
  // The names of these change with their content.
  if (kept !== undefined && new URL(request.url).pathname.includes('/assets/')) return kept
  try {
    return await fetch(request)
  } catch (error) {
    if (kept === undefined) throw error
    return kept
  }
}
