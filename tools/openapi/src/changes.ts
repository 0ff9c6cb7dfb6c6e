import { format } from 'prettier'
import type { WrittenFile } from './options.js'

/** A member of what the files export: `Article.title`, `articleResource.get`, or `addComment`. */
interface Part {
  readonly kind: 'class' | 'interface' | 'type' | 'const'
  readonly text: string
}

/** What changed between two runs, in words. */
export interface Changes {
  /** Code that uses it does not compile, or does something else. */
  readonly breaking: readonly string[]
  readonly others: readonly string[]
}

/** Compares what the files of two runs export. */
export async function changesBetween(
  before: readonly WrittenFile[],
  after: readonly WrittenFile[],
): Promise<Changes> {
  const texts = new Map(before.map(({ path, text }) => [path, text]))
  // What moves from one file to another has changed in both.
  const isChanged = ({ path, text }: WrittenFile) => texts.get(path) !== text
  const same = new Set(after.filter((file) => !isChanged(file)).map(({ path }) => path))
  const [old, now] = await Promise.all(
    [before, after].map((files) => partsOf(files.filter(({ path }) => !same.has(path)))),
  )
  const breaking: string[] = []
  const others: string[] = []
  for (const [name, { text }] of old ?? []) {
    const next = now?.get(name)
    const isInside = name.includes('.') && !now?.has(name.split('.')[0] ?? '')
    if (next === undefined) {
      // Its members went with it.
      if (!isInside) breaking.push(`${name} is removed.`)
    } else if (next.text !== text) tellChange(name, text, next, breaking, others)
  }
  for (const [name, part] of now ?? []) {
    if (old?.has(name) === true) continue
    const [owner = ''] = name.split('.')
    if (name.includes('.') && old?.has(owner) === false) continue
    const isNeeded = part.kind === 'interface' && name.includes('.') && !part.text.startsWith('?')
    if (isNeeded) breaking.push(`${name} is added, and required where it is sent: ${plain(part.text)}.`)
    else others.push(`${name} is added${name.includes('.') ? `: ${plain(part.text)}` : ''}.`)
  }
  return { breaking, others }
}

function tellChange(name: string, text: string, next: Part, breaking: string[], others: string[]): void {
  if (next.kind === 'interface' && name.includes('.')) {
    const [was, is] = [text, next.text].map((one) => one.startsWith('?'))
    if (was === true && is === false && plain(text) === plain(next.text)) {
      breaking.push(`${name} is required now.`)
      return
    }
    if (was === false && is === true && plain(text) === plain(next.text)) {
      breaking.push(`${name} may be missing now.`)
      return
    }
  }
  const isWhole = !name.includes('.') && next.kind !== 'const' && next.kind !== 'type'
  if (isWhole) others.push(`${name} is declared as \`${plain(next.text)}\`, and was \`${plain(text)}\`.`)
  else breaking.push(`${name} is \`${plain(next.text)}\`, and was \`${plain(text)}\`.`)
}

/** A text in one line, without the mark of an optional member. */
function plain(text: string): string {
  const line = text
    .replace(/^\??[:=]?\s*/, '')
    .replace(/[;,]$/, '')
    .trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}

/** The base exports helpers, whose code is of no matter. */
const ofBase = /^(urlPrefix|credentials)\b/

async function partsOf(files: readonly WrittenFile[]): Promise<ReadonlyMap<string, Part>> {
  const parts = new Map<string, Part>()
  for (const { path, text } of files) {
    // Any style of the project is brought into one.
    const code = await format(text, { parser: 'typescript', printWidth: 100 }).catch(() => '')
    const bare = code.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
    for (const [, kind = '', name = '', rest = ''] of bare.matchAll(
      /^export (class|interface|type|const) ([\w$]+)([\s\S]*?)(?=^\S(?!\S*\})|(?![\s\S]))/gm,
    ))
      if (path !== 'base.ts' || ofBase.test(name)) addParts(parts, kind as Part['kind'], name, rest)
  }
  return parts
}

function addParts(parts: Map<string, Part>, kind: Part['kind'], name: string, text: string): void {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const isObject = head.endsWith('{') && !/[([]\{$/.test(head) && kind !== 'type'
  if (!isObject) {
    parts.set(name, { kind, text: text.replace(/\s+/g, ' ').trim() })
    return
  }
  parts.set(name, { kind, text: head.replace(/\{$/, '').trim() })
  const members: string[] = []
  for (const line of lines) {
    if (/^ {2}[^\s})\]]/.test(line)) members.push(line.trim())
    else if (members.length > 0 && line.startsWith('  ')) members[members.length - 1] += ` ${line.trim()}`
  }
  for (const member of members) {
    const [, own = '', rest = ''] =
      /^(?:declare |override )*("[^"]*"|'[^']*'|[\w$]+)!?((?:\?|:|,| =|;)[\s\S]*)$/.exec(member) ?? []
    // Statics and methods follow from the fields.
    if (own !== '' && own !== 'static' && !member.startsWith('static '))
      parts.set(`${name}.${own}`, { kind, text: rest })
  }
}

/** The changes as text; empty if there are none. */
export function changesText({ breaking, others }: Changes): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`
  return list('Changes that may break code', breaking) + list('Other changes', others)
}
