import { startDemo } from './demo.js'
import { PortError } from './port.js'

const port = readPort(process.env.PORT ?? '4173')
console.log('Starting the page and its REST server, with a Postgres of its own. This takes a few seconds.')
const demo = await startDemo({ port }).catch((error: unknown) => {
  if (error instanceof PortError) exit(error.message)
  throw error
})
console.log(`\n  The demo is ready at ${demo.url}\n\n  Ctrl-C ends it.\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())

async function end(): Promise<void> {
  await demo.close()
  process.exit(0)
}

function readPort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  return exit(`PORT is "${value}", which is no port. Use a whole number from 0 to 65535.`)
}

function exit(message: string): never {
  console.error(message)
  process.exit(1)
}
