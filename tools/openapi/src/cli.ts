import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { changesBetween, changesText } from './changes.js'
import { formatFiles, isEdited } from './format.js'
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
  --overwrite         also replaces files that a person has edited
  --check             writes nothing, and fails if the files are not what the description gives
  --report FILE       writes what was guessed into a file as well
  --quiet             shows no report
  --help              shows this
`

/**
 * Runs the command.
 *
 * @param argv - the arguments after the name of the command
 * @returns the exit code: 1 if the command or the description is unusable, if a person has edited a file, or if \`--check\` finds a difference
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
      overwrite: { type: 'boolean' },
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
  const earlier = readEarlier(out)
  const edited = new Set(
    values.overwrite === true ? [] : earlier.filter((file) => isEdited(file.text)).map(({ path }) => path),
  )
  write(files, out, edited)
  if (values.report !== undefined) writeFileSync(values.report, text.trimStart())
  const written = files.filter(({ path }) => !edited.has(path))
  process.stdout.write(written.map(({ path }) => `wrote ${here(join(out, path))}\n`).join(''))
  if (values.quiet !== true) process.stdout.write(text)
  if (earlier.length > 0) process.stdout.write(changesText(await changesBetween(earlier, files)))
  if (edited.size === 0) return 0
  for (const path of edited)
    process.stderr.write(
      `${here(join(out, path))} was edited, and stays as it is. Move your code to a file of your own, and run the command with --overwrite.\n`,
    )
  return 1
}

/** What an earlier run wrote, with what a person changed in it. */
function readEarlier(out: string): readonly WrittenFile[] {
  if (!existsSync(out)) return []
  return readdirSync(out)
    .filter((name) => name.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(out, path), 'utf8') }))
    .filter(({ text }) => text.startsWith(beginning))
}

async function generateFrom(source: string, options: GenerateOptions): Promise<Generated> {
  const loaded = await loadDescription(source)
  return loaded.kind === 'graphql'
    ? generateGraphQL(loaded.text, options)
    : generate(loaded.description, options)
}

const here = (path: string) => (relative('', path) || path).split(sep).join('/')

/** The beginning of each file that was written. */
const beginning = headOf('').split(' from ')[0] ?? ''

/** The files of an earlier run that are not written any more. */
function oldFiles(files: readonly WrittenFile[], out: string): string[] {
  const names = new Set(files.map(({ path }) => path))
  return readEarlier(out)
    .map(({ path }) => path)
    .filter((path) => !names.has(path))
}

function write(files: readonly WrittenFile[], out: string, edited: ReadonlySet<string>): void {
  mkdirSync(out, { recursive: true })
  for (const name of oldFiles(files, out)) if (!edited.has(name)) rmSync(join(out, name))
  for (const { path, text } of files) if (!edited.has(path)) writeFileSync(join(out, path), text)
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
