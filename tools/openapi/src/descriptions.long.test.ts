import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateRaw } from './testing-generate.js'
import { typeErrors } from './testing-types.js'

// The larger descriptions of fixtures/LICENCES.md.

test('what is written of each has strict types, in several files and in one', () => {
  const files = ['stripe', 'slack', 'digitalocean', 'star-trek'].flatMap((name) => {
    const source = JSON.parse(
      readFileSync(join(import.meta.dirname, `../fixtures/${name}.json`), 'utf8'),
    ) as object
    return [
      ...generateRaw(source).files.map(({ path, text }) => ({ path: `${name}/${path}`, text })),
      ...generateRaw(source, { singleFile: true }).files.map(({ text }) => ({
        path: `single/${name}.ts`,
        text,
      })),
    ]
  })
  expect(typeErrors(files)).toEqual([])
})
