import { linesOf } from './lines.js'
import { measure } from './measure.js'
import { applicationTable, toTables, writeTables } from './report.js'
import { servePage } from './serve.js'

if (process.argv.includes('--lines')) await writeTables('applications', await applicationTable())
else if (process.argv.includes('--measure')) await measureAll()
else await serve()

async function measureAll(): Promise<void> {
  const page = await servePage()
  const tables = toTables(await measure(page), await linesOf('tanstack'), await linesOf('selfsame'))
  await writeTables('compare', tables)
  console.log(tables)
  await page.close()
}

async function serve(): Promise<void> {
  const page = await servePage(Number(process.env.PORT ?? 4174))
  console.log(`\n  The page is at ${page.url}\n\n  Ctrl-C ends it.\n`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void page.close().then(() => process.exit(0)))
  }
}
