import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { generateFiles } from './testing-generate.js'

// What a reader may look at. To write it anew: node tools/openapi/bin.js tools/openapi/golden/blog.yaml --out tools/openapi/golden/blog

const golden = join(import.meta.dirname, '../golden')

test('golden/blog is what the description beside it gives', async () => {
  const source = parseYaml(readFileSync(join(golden, 'blog.yaml'), 'utf8')) as object
  const { files } = await generateFiles(source, { source: 'blog.yaml' })
  const folder = join(golden, 'blog')
  expect(files.map(({ path }) => path).sort()).toEqual(readdirSync(folder).sort())
  for (const { path, text } of files) expect(text).toBe(readFileSync(join(folder, path), 'utf8'))
})
