import { posix } from 'node:path'
import type { GuideSample } from './guide-samples.js'
import { folderOf, purposeOf } from './reference.js'
import type { MadePage } from './reference.js'

/** An export of an entry, with the text that typedoc made of its docstring. */
interface Symbol {
  readonly name: string
  /** `Classes`, `Functions`, `Interfaces` … */
  readonly group: string
  readonly anchor: string
  /** Below its heading. */
  readonly text: string
}

/** The symbols of an entry that have a page of their own, for its sidebar. */
export interface EntryPages {
  readonly target: string
  readonly title: string
  readonly pages: readonly { readonly name: string; readonly target: string }[]
}

interface Entry extends MadePage {
  readonly title: string
  readonly intro: string
  readonly symbols: readonly Symbol[]
}

const isType = ({ group }: Symbol) => /^(Interfaces|Type Aliases)$/.test(group)
const isReference = ({ group }: Symbol) => group === 'References'

/**
 * Makes a page of each class, function, variable and long type, with the types that no other page names. The other types of an entry
 * share a few pages, and the page of the entry lists everything.
 *
 * @param pages - those of typedoc, one for each entry
 * @param sampleOf - the sample of a guide that shows a name, imported from an entry
 * @throws Error if two pages differ in case only
 */
export function splitReference(
  pages: readonly MadePage[],
  sampleOf: (entry: string, name: string) => GuideSample | undefined,
): { pages: MadePage[]; entries: EntryPages[] } {
  const entries = pages.map(parseEntry)
  const homes = homesOf(entries)
  const made = entries.flatMap((entry) => [
    { target: entry.target, text: overview(entry, homes) },
    ...pagesOf(entry, homes).map(({ target, symbols }) => ({
      target,
      text: pageText(entry, target, symbols, sampleOf),
    })),
  ])
  const names = made.map(({ target }) => target.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`The reference has two pages that a host may confuse: ${twice}.`)
  const anchors = anchorsOf(made)
  const isEntry = (target: string) => entries.some((entry) => entry.target === target)
  return {
    pages: made.map(({ target, text }) => ({ target, text: relink(target, text, homes, anchors, isEntry) })),
    entries: entries.map((entry) => ({
      target: entry.target,
      title: entry.title,
      pages: pagesOf(entry, homes).map(({ target, name }) => ({ target, name })),
    })),
  }
}

/** The pages of an entry, each with the symbols on it. */
function pagesOf(
  entry: Entry,
  homes: ReadonlyMap<string, Home>,
): { target: string; name: string; symbols: Symbol[] }[] {
  const pages = new Map<string, Symbol[]>()
  for (const symbol of entry.symbols) {
    const target = homes.get(keyOf(entry, symbol.anchor))?.target
    if (target !== undefined) pages.set(target, [...(pages.get(target) ?? []), symbol])
  }
  return [...pages].map(([target, symbols]) => {
    return { target, name: subjectOf(symbols)?.name ?? titleOf(target), symbols }
  })
}

/** What a page is about: a class, function or variable, else a type that fills it. */
const subjectOf = (symbols: readonly Symbol[]) =>
  symbols.find((symbol) => !isType(symbol)) ?? symbols.find(hasOwnPage)

/** Where a symbol stands: on its own page, or on that of the only symbol that names it. */
interface Home {
  readonly target: string
  readonly isOwn: boolean
}

const keyOf = ({ target }: MadePage, anchor: string) => `${target}#${anchor}`
/** Characters of Markdown: a type with more has a page of its own. */
const longType = 1200
/** An entry whose short types have more than this shows them by the folder that they come from. */
const longList = 8000

const hasOwnPage = (symbol: Symbol) => !isType(symbol) || symbol.text.length > longType

/** The page of a symbol: its own, or one that it shares with the other short types of its entry. */
function pageOf(entry: Entry, symbol: Symbol): string {
  const name = hasOwnPage(symbol) ? ownPageOf(entry, symbol) : sharedPageOf(entry, symbol)
  return `${entry.target.replace(/\.md$/, '')}/${name}.md`
}

/** A host may not tell `FetchShape` from `fetchShape`. */
function ownPageOf({ symbols }: Entry, symbol: Symbol): string {
  const isTwin = ({ name }: Symbol) =>
    name !== symbol.name && name.toLowerCase() === symbol.name.toLowerCase()
  return isType(symbol) && symbols.some(isTwin) ? `${symbol.name}-type` : symbol.name
}

function sharedPageOf(entry: Entry, { name, group }: Symbol): string {
  const short = entry.symbols.filter((symbol) => !hasOwnPage(symbol))
  const length = short.reduce((sum, { text }) => sum + text.length, 0)
  if (length > longList) return `types-${(folderOf(entry.target, name) ?? 'util').replace('util', 'more')}`
  return group === 'Interfaces' ? 'interfaces' : 'types'
}

const titleOf = (target: string) => {
  const [, folder, name] = /\/(?:types-(\w+)|(\w+))\.md$/.exec(target) ?? []
  return folder === undefined ? (name === 'types' ? 'Types' : 'Interfaces') : `Types: ${folder}`
}

function parseEntry({ target, text }: MadePage): Entry {
  const [head = '', ...groups] = text.split(/^## (?=.+$)/m)
  const [, title = ''] = /^# (.*)$/m.exec(head) ?? []
  const symbols = groups.flatMap((part) => {
    const [group = '', ...texts] = part.split(/^### (?=.+$)/m)
    return texts.map((symbol) => {
      const [, name = '', anchor = ''] = /^(.*?)(?:\(\))? \{#(.*)\}$/m.exec(symbol) ?? []
      const body = symbol.replace(/^.*\n/, '').replace(/\n\*\*\*\s*$/, '')
      return { name: name.replace(/^`abstract` |\\/g, ''), group: group.trim(), anchor, text: body.trim() }
    })
  })
  return { target, text, title, intro: head.replace(/^# .*$/m, '').trim(), symbols }
}

/** The home of each symbol, and of each anchor in its text. */
function homesOf(entries: readonly Entry[]): Map<string, Home> {
  const namedBy = new Map<string, Set<string>>()
  for (const entry of entries) {
    for (const symbol of entry.symbols) {
      for (const [, target = '', anchor = ''] of symbol.text.matchAll(/\]\((\/[^)#\s]+)?#([^)\s]+)\)/g)) {
        const key = `${target === '' ? entry.target : target.slice(1)}#${anchor}`
        namedBy.set(key, (namedBy.get(key) ?? new Set()).add(pageOf(entry, symbol)))
      }
    }
  }
  const homes = new Map<string, Home>()
  for (const entry of entries) {
    const own = new Map(entry.symbols.map((symbol) => [pageOf(entry, symbol), symbol]))
    for (const symbol of entry.symbols) {
      if (isReference(symbol)) continue
      const [only, ...others] = [...(namedBy.get(keyOf(entry, symbol.anchor)) ?? [])].filter(
        (page) => page !== pageOf(entry, symbol),
      )
      const owner = only === undefined ? undefined : own.get(only)
      const isGuest = isType(symbol) && others.length === 0 && owner !== undefined && !isType(owner)
      const target = isGuest && only !== undefined ? only : pageOf(entry, symbol)
      homes.set(keyOf(entry, symbol.anchor), { target, isOwn: hasOwnPage(symbol) && !isGuest })
      for (const [, anchor = ''] of symbol.text.matchAll(/(?:\{#|<a id=")([^}"]+)/g))
        homes.set(keyOf(entry, anchor), { target, isOwn: false })
    }
  }
  return homes
}

function overview(entry: Entry, homes: ReadonlyMap<string, Home>): string {
  const groups = [...new Set(entry.symbols.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const rows = entry.symbols
      .filter((symbol) => symbol.group === group)
      .map((symbol) => {
        if (isReference(symbol)) return `- \`${symbol.name}\`: ${symbol.text.replace(/^Re-exports/, 'see')}`
        const home = homes.get(keyOf(entry, symbol.anchor))
        const place = home?.isOwn === true ? '' : `#${symbol.anchor}`
        const said = firstSentence(symbol.text)
        return `- [\`${symbol.name}\`](/${home?.target}${place})${said === '' ? '' : `: ${said}`}`
      })
    return `## ${titles[group] ?? group}\n\n${rows.join('\n')}\n`
  })
  return `# ${entry.title}\n\n${entry.intro === '' ? introOf(entry.title) : entry.intro}\n\n${sections.join('\n')}`
}

/** A line for an entry whose module says nothing. */
function introOf(name: string): string {
  if (!name.startsWith('@')) return ''
  const purpose = purposeOf(name)
  return `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)}.`
}

const titles: Readonly<Record<string, string>> = {
  Interfaces: 'Types: interfaces',
  'Type Aliases': 'Types: aliases',
  References: 'The same as elsewhere',
}

/** The first sentence of a docstring, which stands below the signature. */
function firstSentence(text: string): string {
  const paragraphs = text
    .replace(/```[\s\S]*?```/g, '')
    .split(/\n#/)[0]
    ?.trim()
    .split(/\n\n/)
  return /^(?!\||<|>)[\s\S]*?\.(?=\s|$)/.exec(paragraphs?.[0] ?? '')?.[0].replaceAll('\n', ' ') ?? ''
}

function pageText(
  entry: Entry,
  target: string,
  symbols: readonly Symbol[],
  sampleOf: (entry: string, name: string) => GuideSample | undefined,
): string {
  const subject = subjectOf(symbols)
  const types = symbols.filter((symbol) => isType(symbol) && symbol !== subject)
  if (subject === undefined) {
    return `# ${titleOf(target)} of ${entry.title}\n\n${types.map((type) => section('##', type)).join('\n')}`
  }
  const sample = isType(subject) ? undefined : sampleOf(entry.title, subject.name)
  const { said, example, rest } = takenApart(subject.text)
  return [
    `# ${subject.name} {#${subject.anchor}}\n`,
    ...(said === '' ? [] : [`${said}\n`]),
    ...(entry.title.startsWith('@selfsame') && subject.name !== 'default'
      ? [
          `\`\`\`ts\nimport ${isType(subject) ? 'type ' : ''}{ ${subject.name} } from '${entry.title}'\n\`\`\`\n`,
        ]
      : []),
    ...(example === '' ? [] : [`${example}\n`]),
    ...(sample === undefined ? [] : [`${sample.fence}\n\nFrom [${sample.title}](${sample.link}).\n`]),
    `## Definition {#definition-of-this-page}\n\n${rest.replace(/^##(#{2,5}) /gm, '$1 ')}\n`,
    ...(types.length > 0
      ? [`## Types {#types-of-this-page}\n\n${types.map((type) => section('###', type)).join('\n')}`]
      : []),
  ].join('\n')
}

/** The text of a subject: what it says, its first example, which is its simplest, and the rest, which begins with the signature. */
function takenApart(text: string): { said: string; example: string; rest: string } {
  const signature = /^```[\s\S]*?^```\n+/m.exec(text)?.[0] ?? ''
  const body = text.startsWith('```') ? text.slice(signature.length) : text
  const end = body.search(/^#{2,} /m)
  const said = end < 0 ? body : body.slice(0, end)
  const sections = end < 0 ? '' : body.slice(end)
  // What stands in a table or a quotation is no description.
  if (/^[|>]/m.test(said)) return { said: '', example: '', rest: text }
  const found = /^#### Examples?\n+(```[\s\S]*?^```)\n*/m.exec(sections)
  const rest = found === null ? sections : sections.replace(found[0], '')
  return {
    said: said.trim(),
    example: found?.[1] ?? '',
    rest: `${text.startsWith('```') ? signature : ''}${rest}`.trim(),
  }
}

/** A type among others. Typedoc's headings of its parts have four marks. */
const section = (marks: string, { name, anchor, text }: Symbol) =>
  `${marks} ${name} {#${anchor}}\n\n${marks === '##' ? text.replace(/^#(#{3,5}) /gm, '$1 ') : text}\n`

/** The anchors of each page. */
const anchorsOf = (pages: readonly MadePage[]) =>
  new Map(
    pages.map(({ target, text }) => [
      target,
      new Set([...text.matchAll(/(?:\{#|<a id=")([^}"]+)/g)].map(([, anchor = '']) => anchor)),
    ]),
  )

/** Links lead to the pages of the symbols. A link in a page to itself is one to the entry where it was taken from. */
function relink(
  target: string,
  text: string,
  homes: ReadonlyMap<string, Home>,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
  isEntry: (target: string) => boolean,
): string {
  return text.replace(
    /\]\((\/reference\/[^)#\s]+)?#([^)\s]+)\)/g,
    (all, page: string | undefined, anchor: string) => {
      const entry = page?.slice(1) ?? (isEntry(target) ? target : `${posix.dirname(target)}.md`)
      const home = homes.get(`${entry}#${anchor}`)
      if (home === undefined) return all
      if (home.target === target) return `](#${anchor})`
      const place = home.isOwn || anchors.get(home.target)?.has(anchor) !== true ? '' : `#${anchor}`
      return `](/${home.target}${place})`
    },
  )
}
