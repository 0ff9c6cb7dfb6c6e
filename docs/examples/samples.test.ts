import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

// Each sample of the documentation is an excerpt of a file below this folder,
// or of an application in conformance/fixtures,
// which is compiled, and run by a test; those of the page about the linter are
// linted (tools/eslint-plugin/src/rules.test.ts). So a sample cannot be wrong
// for long: change it here first, then in the page.

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const pages = [
  'README.md',
  'core/README.md',
  ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.endsWith('.md') && !/^(\.|benchmarks|linter)/.test(name),
    )
    .map((name) => `docs/${name}`),
  ...['react', 'vue', 'svelte'].map(
    (binding) => `bindings/${binding}/README.md`,
  ),
]
const isSource = /\.(tsx?|mjs|vue|svelte|astro)$/

/**
 * The source files below a folder. What is installed or built stands in folders
 * that are not looked into.
 */
function sourcesBelow(folder: string): string[] {
  if (!existsSync(new URL(folder, root))) return []
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap(
    (entry) => {
      const path = `${folder}/${entry.name}`
      if (!entry.isDirectory()) return isSource.test(entry.name) ? [path] : []
      return /^(\..*|node_modules|dist|build)$/.test(entry.name)
        ? []
        : sourcesBelow(path)
    },
  )
}

// The cases of the codemod are compiled and run as what it makes of them.
const examples = [
  'docs/examples',
  'conformance/fixtures',
  'tools/codemod/cases/current/guide',
  'tools/openapi/golden',
]
  .flatMap(sourcesBelow)
  .filter((path) => !path.endsWith('/samples.test.ts'))
  .map(read)

/**
 * The lines of code: without comments, indentation, empty lines, and what a
 * test needs in front of or behind a line.
 */
function linesOf(code: string): string[] {
  return code
    .replace(/<!--[\s\S]*?-->|\/\*\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) =>
      line
        .replace(/(^|\s)\/\/ .*$/, '')
        .trim()
        .replace(/^(?:void|export) |,$/g, ''),
    )
    .filter((line) => line !== '')
}

const isImport = /^import\b/
/**
 * Each name that is imported, with where from: a sample imports some of what
 * the file imports that it is taken from.
 */
function importsOf(code: string): string[] {
  return [
    ...code.matchAll(/^\s*import (?:type )?([^'"]*?)\s*from '([^']+)'/gm),
  ].flatMap(([, what = '', from]) =>
    [...what.matchAll(/\w+/g)].map(([name]) => `${name} from ${from}`),
  )
}

/** Code without what a formatter adds or leaves out where it breaks lines. */
const squeezed = (code: string) => code.replace(/\{' '\}|[\s,()]/g, '')

const exampleLines = examples.map(linesOf)
const exampleCode = exampleLines.map((lines) => squeezed(lines.join('')))
const exampleImports = new Set(examples.flatMap(importsOf))

interface Sample {
  readonly place: string
  readonly code: string
}

function samplesOf(page: string): Sample[] {
  const text = read(page)
  return [
    ...text.matchAll(
      /^```(?:tsx?|vue|svelte|astro)(?: \[\w+\])?\n([\s\S]*?)^```/gm,
    ),
  ].map((match) => ({
    place: `${page}:${text.slice(0, match.index).split('\n').length}`,
    code: match[1] ?? '',
  }))
}

/** What stands between empty lines, without the imports. */
function paragraphsOf(code: string): string[][] {
  const withoutImports = code.replace(
    /^\s*import (?:type )?[^'"]*?from '[^']+'$/gm,
    '',
  )
  return withoutImports
    .split(/\n\s*\n/)
    .map((part) => linesOf(part).filter((line) => !isImport.test(line)))
    .filter((lines) => lines.length > 0)
}

/**
 * How many lines, such as assertions, may stand in a test between two lines of
 * a sample.
 */
const mostBetween = 12

/**
 * Whether an example has the lines in this order, with not much between them;
 * or the same code, broken into other lines.
 */
function isTested(lines: readonly string[]): boolean {
  return (
    exampleLines.some((example) =>
      example.some((_, start) => beginsAt(example, start, lines)),
    ) || exampleCode.some((example) => hasCode(example, lines.map(squeezed)))
  )
}

/**
 * Whether code has the pieces one after the other, with not much between them.
 */
function hasCode(
  code: string,
  [first = '', ...others]: readonly string[],
): boolean {
  for (
    let start = code.indexOf(first);
    start !== -1;
    start = code.indexOf(first, start + 1)
  ) {
    let end = start + first.length
    const isWhole = others.every((piece) => {
      const next = code.indexOf(piece, end)
      if (next === -1 || next - end > mostBetween * 40) return false
      end = next + piece.length
      return true
    })
    if (isWhole) return true
  }
  return false
}

function beginsAt(
  example: readonly string[],
  start: number,
  lines: readonly string[],
): boolean {
  if (example[start] !== lines[0]) return false
  let at = start
  for (const line of lines.slice(1)) {
    const next = example.slice(at + 1, at + 2 + mostBetween).indexOf(line)
    if (next === -1) return false
    at += 1 + next
  }
  return true
}

/**
 * Their libraries are not installed here. What they show of this library is
 * compiled with the other pages, and not run.
 */
const compiledOnly = new Set(
  ['rtk-query', 'pinia-colada', 'tanstack-db'].map(
    (name) => `docs/migrating/from-${name}.md`,
  ),
)
const runPages = pages.filter((page) => !compiledOnly.has(page))

test.each(runPages)('%s shows code that is compiled and run here', (page) => {
  const samples = samplesOf(page)
  const untested = samples.flatMap(({ place, code }) => [
    ...paragraphsOf(code)
      .filter((lines) => !isTested(lines))
      .map((lines) => `${place}: ${lines[0]}`),
    ...importsOf(code)
      .filter((name) => !exampleImports.has(name))
      .map((name) => `${place}: import ${name}`),
  ])
  expect(untested).toEqual([])
})

/** Messages of errors are prose, which wraps. */
const isCode = (language: string) => language !== 'txt'

test.each(pages)('%s has no line of code longer than 80 columns', (page) => {
  const long = [...read(page).matchAll(/^( *)```(\w*).*\n([\s\S]*?)^ *```/gm)]
    .filter(([, , language = '']) => isCode(language))
    .flatMap(([, indent = '', , code = '']) =>
      code.split('\n').filter((line) => line.length - indent.length > 80),
    )
  expect(long).toEqual([])
})
