import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { assistantFiles } from './assistants.js'
import { mapLinks, readSource, resolveLink, root, shownFor, writtenPages } from './pages.js'
import type { Page } from './pages.js'
import { sizeOf } from './picture-size.js'
import { guideSamples } from './guide-samples.js'
import { splitReference } from './reference-pages.js'
import type { EntryPages } from './reference-pages.js'
import { referencePages } from './reference.js'
import { withImports } from './sample-imports.js'

/** Where the pages stand that VitePress builds: made, never edited. */
export const preparedFolder = `${root}docs/.vitepress/pages`

/**
 * Makes the pages of the site of the Markdown files in the repository: links that lead to files become links to pages, and what is
 * generated (the API reference, the texts for assistants) stands beside them.
 *
 * @returns what the sidebars of the reference list
 * @throws Error if a link leads to no file
 */
export async function preparePages(): Promise<readonly EntryPages[]> {
  const pages = writtenPages()
  const [index, ...entries] = await referencePages()
  const reference = splitReference(entries, guideSamples())
  const files = new Map<string, string>()
  for (const page of pages) files.set(page.target, pageText(page, pages))
  for (const { target, text } of [...(index ? [index] : []), ...reference.pages])
    files.set(target, withMatter(['editLink: false', 'pageClass: reference'], text))
  files.set('public/favicon.svg', favicon)
  files.set('public/play-worker.js', readSource('docs/.vitepress/live/play-worker.js'))
  for (const { target, text } of assistantFiles(pages)) files.set(`public/${target}`, text)
  for (const [old, target] of Object.entries(moved)) files.set(`public/${old}`, redirect(target))
  for (const [target, text] of files) writeIfChanged(`${preparedFolder}/${target}`, text)
  for (const name of readdirSync(`${root}docs/pictures`)) {
    mkdirSync(`${preparedFolder}/pictures`, { recursive: true })
    copyFileSync(`${root}docs/pictures/${name}`, `${preparedFolder}/pictures/${name}`)
  }
  for (const path of readdirSync(preparedFolder, { recursive: true, encoding: 'utf8' })) {
    if (/\.(md|txt|html)$/.test(path) && !files.has(path)) rmSync(`${preparedFolder}/${path}`)
  }
  return reference.entries
}

function pageText(page: Page, pages: readonly Page[]): string {
  const text = mapLinks(withImports(page.source, readSource(page.source)), (target) =>
    siteLink(page, target, pages),
  ).replace(/!\[([^\]]*)\]\((\S+)-light\.webp\)/g, (_, alt: string, path: string) =>
    ['light', 'dark']
      .map((scheme) => {
        const { width, height } = sizeOf(`${basename(path)}-${scheme}.webp`)
        const size = `width="${width}" height="${height}"`
        return `<img class="only-${scheme}" src="${path}-${scheme}.webp" alt="${alt}" ${size}>`
      })
      .join(''),
  )
  // The layout that fills the window has no `main`.
  const whole = page.target === 'play.md' ? `<main>\n\n${text}\n</main>\n` : text
  // The link to edit a page leads into `docs/`.
  const isElsewhere = page.source !== `docs/${page.target}`
  return withMatter([...(matters[page.target] ?? []), ...(isElsewhere ? ['editLink: false'] : [])], whole)
}

function withMatter(lines: readonly string[], text: string): string {
  return lines.length === 0 ? text : `---\n${lines.join('\n')}\n---\n\n${text}`
}

/** Pages that are no more, and where their text is. */
const moved: Readonly<Record<string, string>> = { 'screens.html': 'hooks.html' }

const redirect = (target: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url=${target}"><a href="${target}">This page has moved.</a></html>\n`

/** Pages of another layout, by their target. */
const matters: Readonly<Record<string, readonly string[]>> = {
  // The front page has no sidebar beside it.
  'index.md': [
    'sidebar: false',
    'aside: false',
    // Its bar would come late on a phone, and push the page down.
    'outline: false',
    'pageClass: front',
    'titleTemplate: false',
    'title: Selfsame, a normalized data layer',
  ],
  'play.md': ['layout: page', 'sidebar: false', 'aside: false', 'pageClass: play'],
  // Its table needs the width.
  'comparison.md': ['aside: false', 'pageClass: wide'],
}

/** @returns `undefined` where there is no address for it: the text stands without a link */
function siteLink(page: Page, target: string, pages: readonly Page[]): string | undefined {
  const link = resolveLink(page.source, target)
  if (link === undefined) return target
  const file = shownFor(link.path)
  const known = pages.find(({ source }) => source === file)
  if (known !== undefined) return `/${known.target}${link.hash}`
  // Made when the site is built.
  if (link.path.startsWith('docs/reference')) return `/${link.path.slice('docs/'.length)}${link.hash}`
  if (file === undefined) throw new Error(`${page.source} links to ${target}, which is no file.`)
  if (link.path.startsWith('docs/pictures/')) return `/${link.path.slice('docs/'.length)}`
  if (link.path.startsWith('docs/drawings/')) return target
  return repository === undefined ? undefined : `${repository}/blob/main/${link.path}`
}

/** Two readers, one record. New applications have the same. */
const favicon = readSource('tools/create-selfsame/shared/public/favicon.svg')

/** The address of the repository on its code host, from package.json. */
export const repository = (() => {
  const { repository: found } = JSON.parse(readSource('core/package.json')) as {
    repository?: string | { url: string }
  }
  const url = typeof found === 'string' ? found : found?.url
  return url?.replace(/^git\+/, '').replace(/\.git$/, '')
})()

function writeIfChanged(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
