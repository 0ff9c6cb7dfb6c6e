import { frameworkOf } from './frameworks.js'
import { readSource, titleOf, writtenPages } from './pages.js'
import { withImports } from './sample-imports.js'
import { slugify } from './slugify.js'

/** A sample that a page of the reference shows on top. */
export interface GuideSample {
  /** The code with its fence. */
  readonly fence: string
  /** Of the guide, and its section. */
  readonly title: string
  readonly link: string
}

interface Fence {
  /** Of its guide. */
  readonly target: string
  readonly title: string
  readonly info: string
  readonly code: string
  /** The heading above it. */
  readonly section: string
}

/** A sample that fills the window teaches nothing about one name. */
const mostLines = 45

/** Pages that show other versions, other libraries, or everything. */
const isGuide = (target: string) =>
  !/^(migrating|errors|packages|legacy|specification|benchmarks|changelog|contributing|security|linter|assistants|internals)/.test(
    target,
  )

/** Finds the sample for a name: in the guide that speaks of it most, the first that imports it, else the first that uses it. */
export function guideSamples(): (entry: string, name: string) => GuideSample | undefined {
  const guides = writtenPages()
    .filter(({ target }) => isGuide(target))
    .map(({ source, target }) => {
      const text = withImports(source, readSource(source))
      return { target, text, fences: fencesOf(target, text) }
    })
  return (entry, name) => {
    const isUse = new RegExp(`(?<![\\w.'])${name}(?:[<(]|\\b(?! from)(?=[ .,;)}]))`)
    const isImport = new RegExp(`import [^']*\\b${name}\\b[^']* from '${entry}'`)
    const isName = new RegExp(`\\b${name}\\b`, 'g')
    const ranks = new Map(
      guides.map(({ target, text }) => [target, rankOf(target, text.match(isName)?.length ?? 0, entry)]),
    )
    const found = guides
      .toSorted((a, b) => (ranks.get(b.target) ?? 0) - (ranks.get(a.target) ?? 0))
      .flatMap(({ fences }) => fences.filter(({ info, code }) => isOf(entry, info, code)))
    const sample =
      found.find(({ code }) => isImport.test(code)) ??
      // A word of the language, such as "order", is no use of an export.
      (/[A-Z]/.test(name) && !entry.endsWith('/legacy')
        ? found.find(({ code }) => isUse.test(code))
        : undefined)
    if (sample === undefined) return undefined
    const { info, code, section, target, title } = sample
    return {
      fence: `\`\`\`${info.replace(/ *\[\w+\]/, '')}\n${code}\`\`\``,
      title: section === title ? title : `${title}: ${section}`,
      link: `/${target}${section === title ? '' : `#${slugify(section)}`}`,
    }
  }
}

/** How much a guide speaks of a name. The first guides show things at their simplest, and those of servers never do. */
function rankOf(target: string, count: number, entry: string): number {
  if (target === 'start.md' || target === 'reading.md') return count * 4
  return target.startsWith('server-rendering') && !/\/(ssr|next|nuxt|kit|hydration)/.test(entry) ? 0 : count
}

/** Whether a fence shows an entry: that of a binding in its framework, that of the core in TypeScript. */
function isOf(entry: string, info: string, code: string): boolean {
  if (code.split('\n').length > mostLines) return false
  const [, binding] = /^@selfsame\/(react|vue|svelte)/.exec(entry) ?? []
  if (binding !== undefined)
    return frameworkOf(info) === binding || code.includes(`from '@selfsame/${binding}`)
  return /^ts(?:x?$| \[TypeScript\])/.test(info) && !/@selfsame\/(react|vue|svelte)/.test(code)
}

function fencesOf(target: string, text: string): Fence[] {
  const title = titleOf(text)
  const fences: Fence[] = []
  let section = ''
  for (const [, heading, info = '', code = ''] of text.matchAll(
    /^#+ (.+)$|^```((?:tsx?|vue|svelte)\b.*)\n([\s\S]*?)^```/gm,
  )) {
    if (heading === undefined) fences.push({ target, title, info, code, section })
    else section = heading.replaceAll('`', '')
  }
  return fences
}
