import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const source = join(root, 'core/src')

/** The files that are published. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$|(^|\/)testing-/.test(file),
)

/** Names with one meaning in several files. */
const inSeveralFiles = new Set([
  // A small adapter for each library, of which an application imports one.
  'entityFrom',
  'shapeOf',
  'converts',
  // The transports of streams.
  'createTransport',
  'openLine',
  // A bundler takes one of the two modules.
  'completeSignals',
  // The generations 4.5 and 5.1 have their own.
  'Resource',
])

/** The names that a file declares at its top level. */
function declaredIn(file: string): string[] {
  const parsed = ts.createSourceFile(file, readFileSync(join(source, file), 'utf8'), ts.ScriptTarget.Latest)
  return parsed.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? name.text : [],
      )
    const { name } = statement as ts.Statement & { readonly name?: ts.Node }
    return name !== undefined && ts.isIdentifier(name) ? name.text : []
  })
}

const declared = new Map<string, Set<string>>()
for (const file of files)
  for (const name of declaredIn(file)) declared.set(name, (declared.get(name) ?? new Set()).add(file))

test('a name at the top level of a module has one meaning: it is declared once', () => {
  const several = [...declared].filter(([name, places]) => places.size > 1 && !inSeveralFiles.has(name))
  expect(several.map(([name, places]) => `${name}: ${[...places].join(', ')}`)).toEqual([])
  expect(declared.size).toBeGreaterThan(1500)
})

test('a file has a name of its own; an entry may have that of what it exports', () => {
  const places = new Map<string, string[]>()
  for (const file of files.filter((each) => each.includes('/'))) {
    const name = basename(file)
    places.set(name, [...(places.get(name) ?? []), file])
  }
  expect([...places.values()].filter((each) => each.length > 1)).toEqual([])
  expect(places.size).toBeGreaterThan(200)
})

test('each name of the glossary is in the sources', () => {
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [, glossary = ''] = /^## Words$(.*?)^## /ms.exec(guide) ?? []
  const names = [...glossary.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(15)
  const texts = files.map((file) => readFileSync(join(source, file), 'utf8'))
  const isThere = (name: string) =>
    texts.some((text) => new RegExp(`(?<![\\w#])#?${name.replace(/^.*[.#]/, '')}\\b[?(:<= ]`).test(text))
  expect(names.filter((name) => !isThere(name))).toEqual([])
})
