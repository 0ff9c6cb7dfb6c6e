import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

// Docstrings, tests and scenarios cite the specification: `specification 4.5, Policies`, `specification G4`, `(F10, G5)`. Each
// citation has to name a section, a rule or a row that one of its two pages has.

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = ['docs/specification.md', 'docs/internals/rules.md']

/** What can be cited: sections by number, the headings and rules below them, and the codes of guarantees, costs and pitfalls. */
interface Citable {
  readonly sections: ReadonlyMap<string, ReadonlySet<string>>
  readonly codes: ReadonlySet<string>
}

/** Names are in lower case. What stands below 4.5 counts for 4 as well. */
function citableOf(texts: readonly string[]): Citable {
  const sections = new Map<string, Set<string>>()
  const codes = new Set<string>()
  for (const text of texts) {
    let section = ''
    const add = (name: string) => {
      for (const one of new Set([section, section.split('.')[0] ?? '']))
        sections.set(one, (sections.get(one) ?? new Set()).add(name.toLowerCase()))
    }
    for (const line of text.split('\n')) {
      const [, marks, number, title] = /^(#+) (?:(\d+(?:\.\d+)?)\.? )?(.*)$/.exec(line) ?? []
      if (number !== undefined) section = number
      else if (marks !== undefined && marks.length < 3) section = ''
      const [, rule] = /^(\d+)\. /.exec(line) ?? []
      const [, bold] = /^- \*\*([\w ]+)\.\*\*/.exec(line) ?? []
      const [, code] = /^(?:- )?\*\*([A-Z]\d+b?)\b/.exec(line) ?? /^\| ([A-Z]\d+) +\|/.exec(line) ?? []
      for (const name of [title, bold, rule === undefined ? undefined : `rule ${rule}`])
        if (name !== undefined) add(name)
      if (code !== undefined) codes.add(code)
    }
  }
  return { sections, codes }
}

const citable = citableOf(pages.map(read))

const isCode = /^[A-Z]\d+b?$/
/** The parts of a citation that do not exist: of `4.5, Policies, F1` or `3 (abort), 4.5`. It ends with the first other word. */
function unknownIn(citation: string): string[] {
  const unknown: string[] = []
  let section = ''
  let rest = citation
  for (;;) {
    const [number] = /^\d+(?:\.\d+)?/.exec(rest) ?? []
    const [code] = /^[A-Z]\d+b?\b/.exec(rest) ?? []
    const known = number === undefined && code === undefined ? nameAt(rest, section) : undefined
    const token = number ?? code ?? known
    if (token === undefined) {
      if (/^(?:[A-Z(]|rule \d)/.test(rest)) unknown.push(rest.slice(0, 30))
      return unknown
    }
    if (number !== undefined) {
      if (!citable.sections.has(number)) unknown.push(number)
      section = number
    }
    if (code !== undefined && !citable.codes.has(code)) unknown.push(code)
    const after = rest.slice(token.length)
    // Inside of brackets stand names of the section.
    const [bracket, inner = ''] = /^ \(([^)]*)\)/.exec(after) ?? []
    for (const name of bracket === undefined ? [] : inner.split(', ')) {
      if (
        !(isCode.test(name) ? citable.codes : (citable.sections.get(section) ?? new Set())).has(lower(name))
      )
        unknown.push(`${section} (${name})`)
    }
    const [joint] = /^(?:, | and |; | )/.exec(after.slice(bracket?.length ?? 0)) ?? []
    if (joint === undefined) return unknown
    const next = after.slice((bracket?.length ?? 0) + joint.length)
    // Behind a space only a rule goes on.
    if (joint === ' ' && !/^rule \d/.test(next)) return unknown
    rest = next
  }
}

const lower = (name: string) => (isCode.test(name) ? name : name.toLowerCase())

/** The longest heading or rule of the section, or of the pages, that the text begins with. */
function nameAt(text: string, section: string): string | undefined {
  const names = [...(citable.sections.get(section) ?? []), ...(citable.sections.get('') ?? [])]
  const [longest] = names
    .filter(
      (name) => name !== '' && text.toLowerCase().startsWith(name) && !/^\w/.test(text.slice(name.length)),
    )
    .sort((a, b) => b.length - a.length)
  return longest === undefined ? undefined : text.slice(0, longest.length)
}

/** The text of the citations: behind the word, and what stands in brackets as codes alone. */
function citationsIn(text: string): string[] {
  const plain = text.replace(/\n\s*(?:\/\/|\*(?!\/))?\s*/g, ' ')
  return [
    ...[...plain.matchAll(/(?<!GraphQL )\bspecification,? (?=\d|[A-Z]\d|C\b|Costs|[A-Z][a-z]+ of)/gi)].map(
      ({ index, 0: word }) => plain.slice(index + word.length, index + word.length + 120),
    ),
    ...[...plain.matchAll(/\(([GSEFBLC]\d+b?(?:, [GSEFBLC]\d+b?)*)\)/g)].map(([, codes = '']) => codes),
  ]
}

const isSource = /\.(?:tsx?|vue|svelte|md)$/
function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((one) => {
    const path = `${folder}/${one.name}`
    if (one.isDirectory())
      return /^(?:\..*|node_modules|dist.*|build|fixtures|golden|cases)$/.test(one.name)
        ? []
        : filesBelow(path)
    return isSource.test(one.name) ? [path] : []
  })
}
const files = ['core', 'bindings', 'conformance', 'demo-apps', 'docs', 'tools'].flatMap(filesBelow)

describe('citations of the specification', () => {
  test('are found in all their forms', () => {
    expect(citable.codes).toEqual(new Set([...citable.codes].filter((code) => /^[GCSEFBL]\d+b?$/.test(code))))
    expect(citable.codes.size).toBeGreaterThan(90)
    expect(unknownIn('3 (abort), 4.5, The small hooks')).toEqual([])
    expect(unknownIn('7 rule 4, S8, S26')).toEqual([])
    expect(unknownIn('3, rule 99')).not.toEqual([])
    expect(unknownIn('4.99')).toEqual(['4.99'])
    expect(unknownIn('4.5, Policys')).toEqual(['Policys'])
    expect(unknownIn('3 (aborts)')).toEqual(['3 (aborts)'])
    expect(unknownIn('3, F99')).toEqual(['F99'])
    expect(citationsIn('a b (specification G4,\n   * F6)')).toEqual(['G4, F6)'])
  })

  test('name what is there', () => {
    const all = files.flatMap((file) => citationsIn(read(file)).map((citation) => ({ file, citation })))
    expect(all.length).toBeGreaterThan(400)
    const dead = all.flatMap(({ file, citation }) =>
      unknownIn(citation).map((part) => `${file}: ${part}, of "${citation.slice(0, 40)}"`),
    )
    expect(dead).toEqual([])
  })

  test('are the names of scenarios', () => {
    const names = files
      .filter((file) => file.startsWith('conformance/src/scenarios/'))
      .flatMap((file) => [...read(file).matchAll(/\bscenario(?:\.\w+)?\(\s*'([^']+)'/g)])
      .map(([, name = '']) => name)
      .filter((name) => /^(?:\d|[A-Z]\d)/.test(name))
    expect(names.length).toBeGreaterThan(100)
    const dead = names.filter((name) => {
      const [first = '', second = ''] = name.split('/')
      const isKnown = citable.sections.has(first) || citable.codes.has(first)
      return !isKnown || (/^rule \d/.test(second) && citable.sections.get(first)?.has(second) !== true)
    })
    expect(dead).toEqual([])
  })

  test('inside of the two pages name what is there', () => {
    const dead = pages.flatMap((page) =>
      [
        ...read(page).matchAll(/\b(?:sections?|row|rows|reading of) (\d+(?:\.\d+)?[^.;:\n]*|[A-Z]\d+)/g),
      ].flatMap(([, citation = '']) => unknownIn(citation).map((part) => `${page}: ${part}`)),
    )
    expect(dead).toEqual([])
  })
})
