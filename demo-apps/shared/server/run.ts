import { createServer } from '@selfsame/demo-server'
import type { StartApplication } from './application.js'
import { serveSite } from './site.js'
import { applicationSizes } from './sizes.js'

/**
 * Runs one application alone, with a REST server of its own: `npm start -w @selfsame/demo-react`. With `--ssr` its pages are
 * rendered on the server. `PORT` is the port of the page.
 */
export async function runApplication(start: StartApplication): Promise<void> {
  const isServerRendered = process.argv.includes('--ssr')
  const port = Number(process.env['PORT'] ?? 4173)
  const rest = await createServer({ sizes: applicationSizes })
  const site = await serveSite({ start, restUrl: rest.url, port, isServerRendered, watches: true })
  console.log(`\n  ${site.url}${isServerRendered ? '  rendered on the server' : ''}\n\n  Ctrl-C ends it.\n`)
  const end = async () => {
    await Promise.all([site.close(), rest.close()])
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end())
}
