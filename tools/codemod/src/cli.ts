import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { folderWith, oldDependencies, sourcesBelow, unseenIn } from './application.js'
import { transforms } from './names.js'
import type { Transform } from './names.js'
import { toJson, toText } from './report.js'
import { runCodemod } from './run.js'
import { TypeCheck } from './type-check.js'

const usage = `Moves an application to Selfsame.

  npx @selfsame/codemod <transform> <files or folders…>

  current   from Reactive Data Client (@data-client/*, and @rest-hooks/* from version 6 on)
  5.1       from the generation of Resource.detail() and useSuspense
  4.5       from the generation of Resource.detailShape() and useResource

  --dry       writes nothing, and shows the differences
  --json      shows the report as JSON
  --no-types  does not check the types before and after
  --help      shows this

Give all files that use each other: a class is moved with its uses. The report lists what is left, with its file, line and cure, and
what was not looked at. Commit first, and format afterwards.
`

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
      options: { dry: { type: 'boolean' }, json: { type: 'boolean' }, 'no-types': { type: 'boolean' } },
    })
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`)
  }
  const { positionals, values } = options
  const missing = positionals.filter((path) => !existsSync(path))
  if (positionals.length === 0 || missing.length > 0)
    return fail(missing.length > 0 ? `There is no file ${missing.join(', ')}.\n` : usage)

  const isDry = values.dry === true
  const files = [...new Set(positionals.flatMap(sourcesBelow))].map((path) => ({
    path: path.split(sep).join('/'),
    text: readFileSync(path, 'utf8'),
  }))
  const [first = ''] = positionals
  const root = folderWith('package.json', first)
  const paths = files.map(({ path }) => path)
  const outcome = runCodemod(transform as Transform, files)
  const write = () => {
    if (!isDry) for (const { path, after } of outcome.changes) writeFileSync(path, after)
  }
  const project = isDry || values['no-types'] === true ? undefined : folderWith('tsconfig.json', first)
  const isInside = root === undefined || project?.startsWith(root) === true
  const check =
    project === undefined || !isInside || outcome.changes.length === 0
      ? undefined
      : new TypeCheck(
          project,
          paths.some((path) => path.endsWith('.vue')),
        )
  const types = check?.around(write)
  if (check === undefined) write()
  const report = {
    ...outcome,
    isDry,
    types,
    unseen: [...outcome.unseen, ...(root === undefined ? [] : unseenIn(root, paths))],
    dependencies: root === undefined ? [] : oldDependencies(join(root, 'package.json')),
  }
  process.stdout.write(values.json === true ? toJson(report) : toText(report))
  return 0
}

function fail(message: string): number {
  process.stderr.write(message)
  return 1
}
