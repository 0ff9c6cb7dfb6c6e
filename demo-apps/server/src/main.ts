import { parseArgs } from 'node:util'
import { createServer, ListenError } from './server.js'

const usage = `Serves the demo's records over HTTP.

  npm start -w @selfsame/demo-server -- [--port <port>]

  --port <port>   0 to 65535, where 0 takes any free port; otherwise PORT, otherwise 4400
  --help          prints this`

const { port, help } = readArguments()
if (help) console.log(usage)
else await start(port)

async function start(wantedPort: number): Promise<void> {
  const server = await createServer({ port: wantedPort }).catch((error: unknown) => {
    if (error instanceof ListenError) exit(error.message)
    throw error
  })
  console.log(`The demo server is ready at ${server.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
}

function readArguments(): { port: number; help: boolean } {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' }, help: { type: 'boolean' } } })
    return { port: toPort(values.port ?? process.env.PORT ?? '4400'), help: values.help === true }
  } catch (error) {
    return exit(error instanceof Error ? error.message : String(error))
  }
}

function toPort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  throw new RangeError(`"${value}" is not a port. Use a whole number from 0 to 65535.`)
}

function exit(message: string): never {
  console.error(message)
  process.exit(1)
}
