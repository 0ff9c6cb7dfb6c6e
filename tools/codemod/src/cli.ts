import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { diffOf } from './diff.js'
import { transforms } from './names.js'
import type { Transform } from './names.js'
import { runCodemod } from './run.js'
import type { Outcome } from './run.js'

const usage = `Moves an application to Selfsame.

  npx @selfsame/codemod <transform> <files or folders…>

  current   from Reactive Data Client (@data-client/*, and @rest-hooks/* from version 6 on)
  5.1       from the generation of Resource.detail() and useSuspense
  4.5       from the generation of Resource.detailShape() and useResource

  --dry     writes nothing, and shows the differences
  --json    shows what was changed and what was left as JSON
  --help    shows this

Give all files that use each other: a class is moved with its uses. What is not understood is left as it is, and listed with
its file, line and reason. Commit first, and format afterwards.
`

const isSource = /(?<!\.d)\.([cm]?[jt]s|[jt]sx|vue|svelte)$/
const skipped = new Set(['node_modules', 'dist', 'build', 'coverage', '.git'])

/**
 * Runs the command.
 *
 * @param argv - the arguments after the name of the command
 * @returns the exit code: 0, also if code was left unchanged, and for `--help`; 1 if the command is invalid
 */
export function main(argv: readonly string[]): number {
  const [transform, ...rest] = argv
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(usage)
    return 0
  }
  if (transform === undefined) return fail(usage)
  if (!(transforms as readonly string[]).includes(transform))
    return fail(`There is no transform "${transform}".\n\n${usage}`)
  let options
  try {
    options = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { dry: { type: 'boolean' }, json: { type: 'boolean' } },
    })
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`)
  }
  const { positionals, values } = options
  const missing = positionals.filter((path) => !existsSync(path))
  if (positionals.length === 0 || missing.length > 0)
    return fail(missing.length > 0 ? `There is no file ${missing.join(', ')}.\n` : usage)

  const files = [...new Set(positionals.flatMap(filesBelow))].map((path) => ({
    path: path.split(sep).join('/'),
    text: readFileSync(path, 'utf8'),
  }))
  const outcome = runCodemod(transform as Transform, files)
  if (values.dry !== true) for (const { path, after } of outcome.changes) writeFileSync(path, after)
  process.stdout.write(values.json === true ? toJson(outcome) : toText(outcome, values.dry === true))
  return 0
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesBelow(below)
    return isSource.test(entry.name) ? [below] : []
  })
}

const here = (path: string) => relative('', path) || path

function toText({ changes, remarks }: Outcome, isDry: boolean): string {
  return [
    ...changes.map(({ path, before, after }) =>
      isDry ? diffOf(here(path), before, after) : `changed ${here(path)}\n`,
    ),
    changes.length === 0 ? 'Nothing to change.\n' : '',
    remarks.length === 0 ? '' : `\nLook at these ${remarks.length}:\n`,
    ...remarks.map(({ path, line, reason }) => `${here(path)}:${line}: ${reason}\n`),
  ].join('')
}

function toJson({ changes, remarks }: Outcome): string {
  return `${JSON.stringify({ changed: changes.map(({ path }) => path), remarks }, null, 2)}\n`
}

function fail(message: string): number {
  process.stderr.write(message)
  return 1
}
