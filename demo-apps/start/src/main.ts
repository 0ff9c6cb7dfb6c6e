import { parseArgs } from 'node:util'
import { startDemo } from './demo.js'
import { endWithParent } from './end.js'
import { PortError } from './port.js'

const usage = `Serves all pages of the demo, and the REST server that they show.

  npm run demo -- [--ssr]

  --ssr     renders the applications on the server
  --watch   compiles pages when they are asked for, and follows the sources: what npm run dev does
  --help    prints this

PORT is the port of the front page, otherwise 4173.`

endWithParent()
const { ssr, watch, help } = readArguments()
if (help) console.log(usage)
else await start(readPort(process.env.PORT ?? '4173'))

async function start(port: number): Promise<void> {
  console.log(
    'Starting the pages and their REST server, with a Postgres of its own. This takes a few seconds.',
  )
  const options = { port, isServerRendered: ssr, watches: watch, preparesAll: true }
  const demo = await startDemo(options).catch((error: unknown) => {
    if (error instanceof PortError) exit(error.message)
    throw error
  })
  console.log(`\n  The demo is ready at ${demo.url}\n\n  Ctrl-C ends it.\n`)
}

function readArguments(): { readonly ssr: boolean; readonly watch: boolean; readonly help: boolean } {
  try {
    const options = {
      ssr: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    } as const
    return parseArgs({ options }).values
  } catch (error) {
    return exit(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

function readPort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  return exit(`PORT is "${value}", which is no port. Use a whole number from 0 to 65535.`)
}

function exit(message: string): never {
  console.error(message)
  process.exit(1)
}
