import { formatFiles } from './format.js'
import { generate } from './generate.js'
import { toDescription } from './to-description.js'
import type { GenerateOptions } from './options.js'

/** The formatting of this repository, which the samples in the tests have. */
const folder = import.meta.dirname

/** Generates files of a description, not formatted. */
export function generateRaw(source: object, options: Partial<GenerateOptions> = {}) {
  return generate(toDescription(source), { source: 'test', ...options })
}

/** Generates files of a description, formatted. */
export async function generateFiles(source: object, options: Partial<GenerateOptions> = {}) {
  const { files, remarks } = generateRaw(source, options)
  return { files: await formatFiles(files, folder), remarks }
}

/** Generates one file of schemas alone: each of them is what a path of its own returns. @returns its text without the head and base */
export async function generateSchemas(
  schemas: Readonly<Record<string, object>>,
  options: Partial<GenerateOptions> = {},
): Promise<string> {
  const paths = Object.keys(schemas).map((name) => [
    `/${name}-call`,
    {
      get: {
        operationId: `call ${name}`,
        tags: ['test'],
        responses: { 200: answer({ $ref: `#/components/schemas/${name}` }) },
      },
    },
  ])
  const { files } = await generateFiles(
    { openapi: '3.1.0', paths: Object.fromEntries(paths) as object, components: { schemas } },
    options,
  )
  return textOf(files, 'test.ts')
}

/** A response with JSON. */
export const answer = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })

/** The text of a file, without its head and imports. */
export function textOf(
  files: readonly { readonly path: string; readonly text: string }[],
  path: string,
): string {
  const file = files.find((one) => one.path === path)
  if (file === undefined)
    throw new Error(`There is no ${path}, but ${files.map((one) => one.path).join(', ')}`)
  return file.text.replace(/^\/\/.*\n\n/, '').replace(/^(import [^']*'[^']*'\n)+\n/, '')
}
