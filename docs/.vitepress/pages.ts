import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A page of the site, and the Markdown file in the repository that it is made of. */
export interface Page {
  /** From the root of the repository. */
  readonly source: string
  /** On the site: `errors/pk-missing.md`. */
  readonly target: string
}

const outside: readonly Page[] = [
  { source: 'CHANGELOG.md', target: 'changelog.md' },
  { source: 'CONTRIBUTING.md', target: 'contributing.md' },
  { source: 'SECURITY.md', target: 'security.md' },
  ...['react', 'vue', 'svelte'].map((name) => ({
    source: `bindings/${name}/README.md`,
    target: `packages/${name}.md`,
  })),
  { source: 'core/README.md', target: 'packages/core.md' },
]

// `internals` is for those who change the core: they read it in the repository.
const isFolderOfPages = (name: string) => !/^(\..*|examples|internals|pictures|drawings)$/.test(name)

function below(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return isFolderOfPages(entry.name) ? below(path) : []
    return entry.name.endsWith('.md') ? [path] : []
  })
}

/** All pages that are written by hand. */
export function writtenPages(): Page[] {
  return [
    ...below('docs').map((source) => ({
      source,
      // A code host shows the README of a folder; a site its index.
      target: source.slice('docs/'.length).replace(/README\.md$/, 'index.md'),
    })),
    ...outside.filter(({ source }) => existsSync(`${root}${source}`)),
  ]
}

export const readSource = (path: string) => readFileSync(`${root}${path}`, 'utf8')

/** The text of a page's first heading. */
export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? ''
}

/** The first two sentences below the title, without links; the empty string where a page begins with something else than text. */
export function summaryOf(text: string): string {
  const paragraph = /^# .+\n+((?:(?!#|```|\||<|- ).+\n)+)/m.exec(text)?.[1] ?? ''
  const plain = withoutLinks(paragraph.replaceAll('\n', ' ').trim())
  return (/^(?:.*?\.(?=\s|$)\s?){1,2}/.exec(plain)?.[0] ?? plain).trim().replace(/:$/, '.')
}

export const withoutLinks = (text: string) => text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')

/**
 * Changes the targets of links and pictures, outside of code. Where `change` gives nothing, the text stands without a link.
 */
export function mapLinks(text: string, change: (target: string) => string | undefined): string {
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
      return isCode ? line : mapLine(line, change)
    })
    .join('\n')
}

/** The label of a link may be a picture, which has a target of its own. */
function mapLine(line: string, change: (target: string) => string | undefined): string {
  return line.replace(
    /(`[^`]*`)|(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
    (all, code: string | undefined, mark: string, label: string, target: string) => {
      if (code !== undefined) return all
      const changed = change(target)
      const inner = mark === '' ? mapLine(label, change) : label
      return changed === undefined ? inner : `${mark}[${inner}](${changed})`
    },
  )
}

/** Where a link of a file leads: a path from the root of the repository, and what stands behind `#`. */
export function resolveLink(source: string, target: string): { path: string; hash: string } | undefined {
  if (/^[a-z]+:/i.test(target)) return undefined
  const [file = '', hash = ''] = target.split('#')
  const path = file === '' ? source : posix.normalize(posix.join(posix.dirname(source), file))
  return { path: path.replace(/\/$/, ''), hash: hash === '' ? '' : `#${hash}` }
}

/** The file that a code host shows for a path: that itself, or the README of a folder. */
export function shownFor(path: string): string | undefined {
  if (!existsSync(`${root}${path}`)) return undefined
  if (!statSync(`${root}${path}`).isDirectory()) return path
  return existsSync(`${root}${path}/README.md`) ? `${path}/README.md` : path
}
