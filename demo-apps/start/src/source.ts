import { readdir, readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createMarkdownRenderer } from 'vitepress'
import { documentOf, escapeHtml } from './document.js'
import { listPath } from './list-path.js'

/** The path of the sources, for the links of the front page: `/source/demo-apps/vue/`. */
export const sourcePrefix = '/source/'

const repository = join(import.meta.dirname, '../../..')
const shown = /^(?:demo-apps|docs)(\/[\w@[][\w.@[\]-]*)*\/?$/
let renderer: ReturnType<typeof createMarkdownRenderer> | undefined
const left = /^(\.|node_modules$|dist$)/

/** Shows the sources of the demo and the documentation as they are on disk: a folder as links, Markdown as a page, a file as text. */
export async function sendSource(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = decodeURIComponent(request.url ?? '').slice(sourcePrefix.length)
  const found = shown.test(path) && !path.split('/').some((name) => left.test(name) && name !== '')
  const stats = found ? await stat(join(repository, path)).catch(() => undefined) : undefined
  if (stats === undefined) {
    response.writeHead(404).end('There is no such source.')
  } else if (stats.isDirectory()) {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(await folderPage(path.replace(/\/?$/, '/')))
  } else if (path.endsWith('.md')) {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(documentOf(path, await textPage(path), sourcePrefix + path))
  } else {
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end(await readFile(join(repository, path)))
  }
}

/** Links of the text lead to other files, and so to pages here. */
async function textPage(path: string): Promise<string> {
  const file = join(repository, path)
  const markdown = await (renderer ??= createMarkdownRenderer(repository))
  const above = `${sourcePrefix}${path.slice(0, path.lastIndexOf('/') + 1)}`
  const html = markdown.render(await readFile(file, 'utf8'), { path: file, cleanUrls: false })
  const linked = html
    .replaceAll(/(href="\.[^"]*)\.html/g, '$1.md')
    // What scrolls can be reached by keyboard, and an empty cell is no header.
    .replaceAll('<pre', '<pre tabindex="0"')
    .replaceAll(/<th(?=[ >])([^>]*)><\/th>/g, '<td$1></td>')
  return `<p><a href="${escapeHtml(above)}">Folder</a></p>
<div class="text">${linked}</div>`
}

async function folderPage(path: string): Promise<string> {
  const entries = await readdir(join(repository, path), { withFileTypes: true })
  const names = entries
    .filter(({ name }) => !left.test(name))
    .toSorted((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
  const rows = names.map((name) => {
    const href = escapeHtml(sourcePrefix + path + name)
    return `<li class="row"><a class="row-title" href="${href}">${escapeHtml(name)}</a></li>`
  })
  const above = path === 'demo-apps/' ? listPath : `${sourcePrefix}${path.split('/').slice(0, -2).join('/')}/`
  return documentOf(
    path,
    `<h1>${escapeHtml(path)}</h1>
<p><a href="${escapeHtml(above)}">${above === listPath ? 'All pages' : 'Folder above'}</a></p>
<ul class="list">${rows.join('\n')}</ul>`,
  )
}
