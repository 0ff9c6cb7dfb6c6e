import { createServer } from 'node:http'

/**
 * Serves pages on localhost only.
 *
 * @param {Map<string, string>} scripts - by the name of the page
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serve(scripts) {
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1))
    const script = scripts.get(name.replace(/\.js$/, ''))
    if (script === undefined) {
      response.writeHead(404).end()
      return
    }
    const isScript = name.endsWith('.js')
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
      // Isolated from other origins, a page has a clock of 5 us instead of 100.
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    })
    response.end(isScript ? script : html(name))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

const html = (name) => `<!doctype html>
<meta charset="utf-8">
<title>${name}</title>
<link rel="icon" href="data:,">
<body><script src="/${encodeURIComponent(name)}.js"></script></body>
`
