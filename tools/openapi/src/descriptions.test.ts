import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'prettier'
import { expect, test } from 'vitest'
import { generateFiles, generateRaw } from './testing-generate.js'
import { describeByNestjs } from './testing-nestjs.js'
import { typeErrors } from './testing-types.js'

// Public descriptions: see fixtures/LICENCES.md.

const names = [
  'github',
  'stripe',
  'slack',
  'digitalocean',
  'star-trek',
  'discriminators',
  'petstore',
  'fastapi',
]
const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/${name}.json`), 'utf8')) as object
const written = new Map(names.map((name) => [name, generateRaw(read(name)).files]))
const filesOf = (name: string) => written.get(name) ?? []
/** The text in one line, as far as white space goes. */
const textOf = (name: string) =>
  filesOf(name)
    .map(({ text }) => text.replace(/\s+/g, ' '))
    .join('\n')

test('what is written has strict types, in several files and in one: the others are in descriptions.long.test.ts', async () => {
  const nestjs = generateRaw(await describeByNestjs()).files
  const files = [
    ...['github', 'discriminators', 'petstore', 'fastapi'].flatMap((name) =>
      filesOf(name).map(({ path, text }) => ({ path: `${name}/${path}`, text })),
    ),
    ...nestjs.map(({ path, text }) => ({ path: `nestjs/${path}`, text })),
    ...['github', 'discriminators'].flatMap((name) =>
      generateRaw(read(name), { singleFile: true }).files.map(({ text }) => ({
        path: `single/${name}.ts`,
        text,
      })),
    ),
  ]
  expect(typeErrors(files)).toEqual([])
})

test.each(names)('%s: the files are the same each time', (name) => {
  expect(generateRaw(read(name)).files).toEqual(filesOf(name))
})

test.each(['discriminators', 'petstore', 'fastapi'])('%s: the files are formatted', async (name) => {
  const options = { semi: false, singleQuote: true, printWidth: 110, parser: 'typescript' }
  const { files } = await generateFiles(read(name))
  for (const { text } of files) expect(await check(text, options)).toBe(true)
})

test.each(names)('%s: no file imports another in a circle', (name) => {
  const imports = new Map(
    filesOf(name).map(({ path, text }) => [
      path,
      [...text.matchAll(/^import [^']*from '\.\/([^']+)\.js'/gm)].map(([, file]) => `${file}.ts`),
    ]),
  )
  const reach = (from: string, seen: Set<string>): Set<string> => {
    for (const next of imports.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
    return seen
  }
  expect([...imports.keys()].filter((file) => reach(file, new Set()).has(file))).toEqual([])
})

test.each([
  // A record and its summary, told by the path that they share.
  ['github', "static override key = 'Label'"],
  ['github', 'isError'],
  // A reference that may be expanded is the record.
  ['stripe', 'file: FileModel | undefined'],
  ['stripe', 'getRequestInit: asUrlEncoded'],
  ['stripe', "paginationField: 'starting_after'"],
  // Descriptions without names for schemas.
  ['digitalocean', 'export class Droplet extends Entity'],
  ['digitalocean', 'process: (response: { droplet: Droplet }) => response.droplet'],
  ['petstore', "path: '/pet/:id'"],
  ['fastapi', 'export const itemResource'],
  ['fastapi', 'export const login = '],
])('%s: has %s', (name, expected) => {
  expect(textOf(name).includes(expected)).toBe(true)
})
