import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { formatFiles } from './format.js'
import { generateGraphQL } from './generate-graphql.js'
import { generate, headOf } from './generate.js'
import type { Generated } from './generate.js'
import { loadDescription, nameOf } from './load.js'
import { parseCorrections } from './options.js'
import type { GenerateOptions, WrittenFile } from './options.js'
import { reportText } from './report.js'

const usage = `Writes entities, resources and endpoints of Selfsame from an API description.

  npx @selfsame/openapi <file or address> --out src/api

The description is OpenAPI 3.0 or 3.1 or Swagger 2, as JSON or YAML. Of a GraphQL schema (.graphql) the entities are written.

  --out FOLDER        where the files go. Files that an earlier run wrote there are replaced
  --single-file       one file for everything, in place of one for each tag
  --options FILE      JSON that corrects what is guessed: see docs/openapi.md
  --url-prefix TEXT   the beginning of all addresses, in place of the server that the description names
  --extension TEXT    the ending of imports: .js (the default), .ts, or none
  --check             writes nothing, and fails if the files are not what the description gives
  --report FILE       writes what was guessed into a file as well
  --quiet             shows no report
  --help              shows this
`

/**
 * Runs the command.
 *
 * @param argv - the arguments after the name of the command
 * @returns the exit code: 1 if the command or the description is unusable, or if \`--check\` finds a difference
 */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(usage)
    return 0
  }
  try {
    return await run(argv)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return 1
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      'single-file': { type: 'boolean' },
      options: { type: 'string' },
      'url-prefix': { type: 'string' },
      extension: { type: 'string' },
      check: { type: 'boolean' },
      report: { type: 'string' },
      quiet: { type: 'boolean' },
    },
  })
  const [source, another] = positionals
  const { out, extension } = values
  if (source === undefined || another !== undefined || out === undefined)
    throw new Error(`Give one description, and a folder by --out.\n\n${usage}`)
  const corrections =
    values.options === undefined ? {} : parseCorrections(readFileSync(values.options, 'utf8'), values.options)
  const generated = await generateFrom(source, {
    ...corrections,
    source: nameOf(source),
    ...(values['single-file'] === undefined ? {} : { singleFile: values['single-file'] }),
    ...(values['url-prefix'] === undefined ? {} : { urlPrefix: values['url-prefix'] }),
    ...(extension === undefined ? {} : { extension: extension === 'none' ? '' : extension }),
  })
  const files = await formatFiles(generated.files, out)
  const text = reportText(generated.remarks)
  if (values.check === true) return check(files, out)
  write(files, out)
  if (values.report !== undefined) writeFileSync(values.report, text.trimStart())
  process.stdout.write(files.map(({ path }) => `wrote ${here(join(out, path))}\n`).join(''))
  if (values.quiet !== true) process.stdout.write(text)
  return 0
}

async function generateFrom(source: string, options: GenerateOptions): Promise<Generated> {
  const loaded = await loadDescription(source)
  return loaded.kind === 'graphql'
    ? generateGraphQL(loaded.text, options)
    : generate(loaded.description, options)
}

const here = (path: string) => (relative('', path) || path).split(sep).join('/')

/** The files of an earlier run that are not written any more. */
function oldFiles(files: readonly WrittenFile[], out: string): string[] {
  if (!existsSync(out)) return []
  const begin = headOf('').split(' from ')[0] ?? ''
  return readdirSync(out).filter(
    (name) =>
      name.endsWith('.ts') &&
      !files.some(({ path }) => path === name) &&
      readFileSync(join(out, name), 'utf8').startsWith(begin),
  )
}

function write(files: readonly WrittenFile[], out: string): void {
  mkdirSync(out, { recursive: true })
  for (const name of oldFiles(files, out)) rmSync(join(out, name))
  for (const { path, text } of files) writeFileSync(join(out, path), text)
}

function check(files: readonly WrittenFile[], out: string): number {
  const changed = files.filter(({ path, text }) => {
    const file = join(out, path)
    return !existsSync(file) || readFileSync(file, 'utf8') !== text
  })
  const all = [
    ...changed.map(({ path }) => `${here(join(out, path))} is not what the description gives.\n`),
    ...oldFiles(files, out).map((name) => `${here(join(out, name))} is not written any more.\n`),
  ]
  if (all.length === 0) return 0
  process.stderr.write(`${all.join('')}Run the command without --check.\n`)
  return 1
}
