import type { ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..')

/** The files of the one stylesheet, in their order. */
const styles = [
  'design/font.css',
  'design/tokens.css',
  'design/icons.css',
  'design/navigation.css',
  'styles.css',
  'tracker.css',
]

const fontPath = '/fonts/inter.woff2'

/** True for the stylesheet of the demos and what it loads. */
export function isDesign(path: string): boolean {
  return path === '/styles.css' || path === fontPath
}

/** Sends the stylesheet, or its font. @param path - for which `isDesign` is true */
export async function sendDesign(path: string, response: ServerResponse): Promise<void> {
  if (path === fontPath) {
    response.setHeader('Content-Type', 'font/woff2')
    response.setHeader('Cache-Control', 'max-age=3600')
    response.end(await readFile(join(folder, 'design', path)))
    return
  }
  response.setHeader('Content-Type', 'text/css; charset=utf-8')
  const texts = await Promise.all(styles.map((name) => readFile(join(folder, name), 'utf8')))
  response.end(texts.join('\n'))
}
