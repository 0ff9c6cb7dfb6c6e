import { linesOf } from './lines.js'
import { measure } from './measure.js'
import { toTables, writeTables } from './report.js'
import { servePage } from './serve.js'

const measures = process.argv.includes('--measure')
const page = await servePage(measures ? 0 : Number(process.env.PORT ?? 4174))
if (measures) {
  const tables = toTables(await measure(page), await linesOf('tanstack'), await linesOf('selfsame'))
  await writeTables(tables)
  console.log(tables)
  await page.close()
} else {
  console.log(`\n  The page is at ${page.url}\n\n  Ctrl-C ends it.\n`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void page.close().then(() => process.exit(0)))
  }
}
