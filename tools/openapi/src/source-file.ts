import { groupBy } from './types.js'
import type { Declaration } from './types.js'

/** A module of core, or a file beside the one that imports. */
type Origin =
  | '@selfsame/core'
  | '@selfsame/core/optimistic'
  | '@selfsame/core/rules'
  | '@selfsame/core/rest'
  | '@selfsame/core/graphql'
  | `./${string}`

/** A statement with its comment. */
interface Piece {
  readonly text: string
  readonly name: string | undefined
  readonly words: ReadonlySet<string>
}

/** Leaves out the types and constants that nothing names. */
export function dropUnused(files: readonly SourceFile[]): void {
  const all = files.flatMap(({ pieces }) => pieces)
  const named = groupBy(
    all.filter(({ name }) => name !== undefined),
    ({ name }) => name,
  )
  const uses = new Map<string, number>()
  const count = ({ words, name }: Piece, change: number) => {
    for (const word of words) if (word !== name) uses.set(word, (uses.get(word) ?? 0) + change)
  }
  for (const piece of all) count(piece, 1)
  const unused = new Set<Piece>()
  const isUnused = ({ name = '' }: Piece) => (uses.get(name) ?? 0) === 0
  const open = [...named.values()].flat().filter(isUnused)
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    if (unused.has(piece)) continue
    unused.add(piece)
    count(piece, -1)
    for (const word of piece.words) open.push(...(named.get(word) ?? []).filter(isUnused))
  }
  for (const file of files) file.drop(unused)
}

/** A file that is written piece by piece, and knows what it has to import. */
export class SourceFile {
  /** Without its ending. */
  readonly name: string
  #pieces: Piece[] = []
  readonly #imports = new Map<Origin, Map<string, boolean>>()

  /** Holds everything, so that there is nothing beside it to import. */
  readonly isWhole: boolean

  constructor(name: string, isWhole = false) {
    this.name = name
    this.isWhole = isWhole
  }

  /** Imports a name, for its type only unless something else needs its value. @returns the name */
  use(name: string, origin: Origin, isType = false): string {
    if (origin === `./${this.name}`) return name
    const names = this.#imports.get(origin) ?? new Map<string, boolean>()
    names.set(name, (names.get(name) ?? true) && isType)
    this.#imports.set(origin, names)
    return name
  }

  /** @param name - what it declares, for a piece that is left out if nothing names that */
  add(text: string, name?: string): void {
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '')
    this.#pieces.push({ text, name, words: new Set(code.match(/[A-Za-z_$][\w$]*/g)) })
  }

  get pieces(): readonly Piece[] {
    return this.#pieces
  }

  /** Leaves out pieces. */
  drop(pieces: ReadonlySet<Piece>): void {
    this.#pieces = this.#pieces.filter((piece) => !pieces.has(piece))
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  /** Takes over the pieces and imports of another part of the same file. */
  take(other: SourceFile): void {
    this.#pieces.push(...other.#pieces)
    for (const [origin, names] of other.#imports)
      for (const [name, isType] of names) this.use(name, origin, isType)
  }

  /** The names of another file that stand in the code. */
  importsFrom(origin: Origin): readonly string[] {
    return this.#importedIn(this.#wordsInCode(), origin)
  }

  /** The names in the code that are no members of something. `schema.` is the namespace: an option has its name, too. */
  #wordsInCode(): ReadonlySet<string> {
    const words = new Set<string>()
    for (const { text } of this.#pieces) {
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '')
      for (const [word] of code.matchAll(/(?<![.\w$])(?:schema\.(?=[A-Z])|[A-Za-z_$][\w$]*)/g))
        words.add(word)
    }
    return words
  }

  #importedIn(words: ReadonlySet<string>, origin: Origin): readonly string[] {
    return [...(this.#imports.get(origin)?.keys() ?? [])].filter((name) =>
      words.has(name === 'schema' ? 'schema.' : name),
    )
  }

  /** The text, not formatted yet. @param extension - of imports, such as `.js` */
  text(head: string, extension: string): string {
    const all = [...this.#imports.keys()].sort(compareOrigins)
    const words = this.#wordsInCode()
    const origins = this.isWhole ? all.filter((origin) => !origin.startsWith('./')) : all
    const imports = origins.flatMap((origin) => {
      const from = origin.startsWith('./') ? `${origin}${extension}` : origin
      const names = this.#importedIn(words, origin)
      const line = (kind: string, isType: boolean) => {
        const found = names.filter((name) => this.#imports.get(origin)?.get(name) === isType)
        return found.length === 0
          ? []
          : [`import ${kind}{ ${found.sort(compareText).join(', ')} } from '${from}'`]
      }
      return [...line('', false), ...line('type ', true)]
    })
    return [head, imports.join('\n'), ...this.#pieces.map((piece) => piece.text)]
      .filter((text) => text !== '')
      .join('\n\n')
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Packages before files. */
const compareOrigins = (a: string, b: string) => compareText(a.replace(/^\./, '~'), b.replace(/^\./, '~'))

/** Says in which file a declaration stands. */
export type FileOf = (declaration: Declaration) => string

/** A comment of documentation. @param paragraphs - empty ones are left out. @param tags - of JSDoc, each with its text */
export function docOf(paragraphs: readonly (string | undefined)[], tags: readonly string[] = []): string {
  const lines = paragraphs
    .map((paragraph) => plainText(paragraph ?? ''))
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph, at) => [
      ...(at === 0 ? [] : ['']),
      ...paragraph.split('\n').flatMap((line) => wrap(line, 100)),
    ])
  if (tags.length > 0) lines.push(...(lines.length > 0 ? [''] : []), ...tags)
  const [only, another] = lines
  if (only === undefined) return ''
  if (another === undefined) return `/** ${only} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

/** Text of a description: without markup, and without what would end the comment. */
function plainText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<\/?(?:p|code|b|i|em|strong|span|div|ul|ol|a)(?:\s[^<>]*)?>/gi, '')
      .replace(/<li>/gi, '- ')
      .replace(/<\/li>/gi, '')
      .replaceAll('*/', String.raw`*\/`)
      // A word of JSDoc at the beginning of a line would be a tag.
      .replace(/^(\s*)@(?=\w)/gm, '$1\\@')
      .replace(/[\u2028\u2029]/g, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

/** The first paragraph of a description. */
export function firstParagraph(text: string | undefined): string | undefined {
  const [first = ''] = plainText(text ?? '').split(/\n\s*\n/)
  return first === '' ? undefined : first.replace(/\s*\n\s*(?![-*\d])/g, ' ')
}

function wrap(line: string, width: number): string[] {
  if (line.length <= width || /^\s*(\||```)/.test(line)) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + word.length + 1 > width) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current]
}
