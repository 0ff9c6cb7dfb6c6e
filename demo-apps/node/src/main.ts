import { run } from './cli.js'

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort())

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  signal: interruption.signal,
  showsProgress: process.stderr.isTTY,
})
