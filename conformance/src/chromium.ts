import { existsSync } from 'node:fs'

/** Chromium without its windows, which takes a third less time of the processor for the same pages. */
const shellPath = '/usr/bin/chromium-headless-shell'

/** The path of Chromium on Debian. Set `CHROMIUM_PATH` if yours differs. */
export const chromiumPath =
  process.env['CHROMIUM_PATH'] ?? (existsSync(shellPath) ? shellPath : '/usr/bin/chromium')

/** No sandbox, because tests run as root in containers; no connections of the browser's own. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
