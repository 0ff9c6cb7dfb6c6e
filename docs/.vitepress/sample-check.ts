import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, posix, relative } from 'node:path'
import ts from 'typescript'
import { root } from './pages.js'
import {
  declaredBy,
  importsOf,
  isOfSameFile,
  originOf,
  originsOf,
  parse,
  samplesOf,
  scriptOf,
  withLines,
} from './sample-imports.js'
import type { Origin, Sample } from './sample-imports.js'

// Writes each sample of the documentation into a folder of its own, as it stands on its page, and lets the compilers of TypeScript, Vue
// and Svelte check them all.

const folder = `${root}docs/.vitepress/cache/samples`
/** The `$lib` of the samples of SvelteKit. */
const lib = `${folder}/lib`
/** Samples may import from folders above their own. */
const depth = 'a/b/c/d'

/** A page: its file from the root of the repository, and its text. */
export interface PageText {
  readonly page: string
  readonly text: string
}

interface Written {
  readonly sample: Sample
  /** The number of the page, and of the sample in it: its folder. */
  readonly index: string
  readonly path: string
}

/**
 * @returns a line for each error of a compiler: page, line of its fence, message
 */
export async function checkSamples(
  pages: readonly PageText[],
  isChecked: (sample: Sample) => boolean,
): Promise<{ count: number; errors: string[] }> {
  rmSync(folder, { recursive: true, force: true })
  // Where it stands, packages of that application's own would be found first.
  cpSync(`${root}conformance/fixtures/sveltekit/src/lib`, lib, { recursive: true })
  const written = pages.flatMap(writePage).filter(({ sample }) => isChecked(sample))
  const config = {
    extends: `${root}tsconfig.components.json`,
    compilerOptions: {
      noEmit: true,
      paths: { '$lib/*': [`${lib}/*`] },
    },
    include: ['**/*'],
  }
  const names = written.map(({ path }) => path)
  for (const [name, include] of [
    ['vue', [...names.filter((path) => !path.endsWith('.svelte')), `${root}docs/examples/*.d.ts`]],
    ['svelte', names.filter((path) => path.endsWith('.svelte'))],
  ] as const)
    writeFileSync(`${folder}/tsconfig.${name}.json`, JSON.stringify({ ...config, include }))
  const outputs = await Promise.all([
    run('vue-tsc', '--noEmit', '--pretty', 'false', '-p', `${folder}/tsconfig.vue.json`),
    run(
      'svelte-check',
      '--workspace',
      folder,
      '--config',
      `${root}svelte-check.config.js`,
      '--tsconfig',
      `${folder}/tsconfig.svelte.json`,
      '--output',
      'machine',
      '--threshold',
      'error',
    ),
  ])
  return { count: written.length, errors: outputs.flatMap((output) => errorsOf(output, written)) }
}

function run(command: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      `${root}node_modules/.bin/${command}`,
      args,
      { cwd: root, maxBuffer: 1 << 26 },
      (_, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
    )
  })
}

/** `…/12-3/a/b/c/d/sample.ts(3,5): error TS2304: …` of `tsc`; `1700 ERROR "12-3/a/b/c/d/sample.svelte" 3:5 "…"` of `svelte-check`. */
function errorsOf(output: string, written: readonly Written[]): string[] {
  const errors = output.matchAll(
    /samples\/([\d-]+)\/a\/.*error (TS.*)|ERROR "([\d-]+)\/a\/.*?" \d+:\d+ "(.*)"/g,
  )
  return [...errors].flatMap(([, a, said, b, told]) => {
    const sample = written.find(({ index }) => index === (a ?? b))?.sample
    return sample === undefined ? [] : [`${sample.page}:${sample.line}: ${said ?? told}`]
  })
}

function writePage({ page, text }: PageText, number: number): Written[] {
  const samples = samplesOf(page, text)
  const written = samples.map((sample, at) => {
    const index = `${number}-${at}`
    const name = sample.file ?? `sample.${/^\w+/.exec(sample.info)?.[0]}`
    return { sample, index, path: `${folder}/${index}/${depth}/${basename(name)}` }
  })
  written.forEach((one, at) => {
    mkdirSync(dirname(one.path), { recursive: true })
    writeFileSync(one.path, textOf(one.sample, samples.slice(0, at)))
    writeModules(one, written)
  })
  return written
}

/** The code as its page shows it; a part of a function, of a class or of an object stands in one. */
function textOf(sample: Sample, earlier: readonly Sample[]): string {
  const lines = importsOf(sample, earlier)
  if (/^(?:vue|svelte)\b/.test(sample.info)) {
    const code = /<script/.test(sample.code)
      ? sample.code
      : `<script setup lang="ts">\n</script>\n${sample.code}`
    return withLines(sample.info, lines, code)
  }
  const above = originsOf(sample, earlier)
    .filter((origin) => isOfSameFile(origin, sample))
    .map(({ name }) => `import { ${name} } from './above.js'`)
  const hidden = hiddenNames(sample.code)
  const wrapped = wrap(sample)
  const isWhole = wrapped === sample.code
  return `${[...above, ...lines].join('\n')}\n${wrapped}\n${isWhole ? hidden.join('\n') : ''}\nexport {}\n`
}

/** Exports of what code declares without an export, for the samples below it. */
const hiddenNames = (code: string) =>
  parse(code, 'sample.tsx').statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)
    const names = isExported ? [] : declaredBy(statement)
    return names.map((name) => `export ${isType ? 'type ' : ''}{ ${name} }`)
  })

function wrap({ code, info }: Sample): string {
  const parsed = (text: string) => parse(text, `a.${info.startsWith('tsx') ? 'tsx' : 'ts'}`)
  const isFine = (text: string) =>
    (parsed(text) as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length === 0
  if (isFine(code)) return returns(parsed(code)) ? `export async function sample() {\n${code}}` : code
  const forms = [
    `void [\n${code}]`,
    `void ({\n${code}})`,
    `void class extends (0 as unknown as typeof Resource) {\n${code}}`,
  ]
  return forms.find(isFine) ?? code
}

/** Whether code returns from a function that it does not show. */
const returns = (node: ts.Node): boolean =>
  ts.isReturnStatement(node) ||
  (!ts.isFunctionLike(node) && (ts.forEachChild(node, (child) => returns(child) || undefined) ?? false))

/** The modules beside a sample, from which it imports: they have what its page means by their names. */
function writeModules({ sample, path }: Written, written: readonly Written[]): void {
  const at = written.findIndex((one) => one.sample === sample)
  const earlier = written.slice(0, at).map((one) => one.sample)
  const modules = new Map<string, string[]>()
  for (const { specifier, name, isType } of relativeImports(sample, textOf(sample, earlier))) {
    const module = moduleOf(posix.join(dirname(path), specifier))
    if (module === path) continue
    const origin = name === 'default' ? undefined : originOf(name, isType, sample, earlier)
    const target = fileOfOrigin(origin, written) ?? fileOf(specifier, written)
    const line = `export ${isType ? 'type ' : ''}{ ${name} } from '${importPath(target, module)}'`
    modules.set(module, [...(modules.get(module) ?? []), line])
  }
  for (const [module, lines] of modules) {
    mkdirSync(dirname(module), { recursive: true })
    writeFileSync(module, `${lines.join('\n')}\n`)
  }
}

const moduleOf = (path: string) =>
  /\.(vue|svelte)$/.test(path) ? `${path}.ts` : path.replace(/(\.js)?$/, '.ts')

interface Import {
  readonly specifier: string
  readonly name: string
  readonly isType: boolean
}

/** What a sample imports from files of its application. */
function relativeImports({ info }: Sample, text: string): Import[] {
  const { statements } = parse(scriptOf({ info, code: text }), 'sample.tsx')
  return statements.filter(ts.isImportDeclaration).flatMap(importedNames)
}

function importedNames({ moduleSpecifier, importClause }: ts.ImportDeclaration): Import[] {
  const specifier = (moduleSpecifier as ts.StringLiteral).text
  if (!specifier.startsWith('.') || importClause === undefined) return []
  const bindings = importClause.namedBindings
  const isTypes = importClause.phaseModifier === ts.SyntaxKind.TypeKeyword
  const named = bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : []
  const names = named.map(({ name, propertyName, isTypeOnly }) => ({
    specifier,
    name: (propertyName ?? name).text,
    isType: isTypeOnly || isTypes,
  }))
  return importClause.name === undefined ? names : [{ specifier, name: 'default', isType: false }, ...names]
}

function fileOfOrigin(origin: Origin | undefined, written: readonly Written[]): string | undefined {
  if (origin?.target === undefined) return undefined
  return typeof origin.target === 'string'
    ? `${root}${origin.target}`
    : written.find(({ sample }) => sample === origin.target)?.path
}

const examples = readdirSync(`${root}docs/examples`, { recursive: true, encoding: 'utf8' })

/** The file that a sample imports: one that its page shows, else one of the examples. */
function fileOf(specifier: string, written: readonly Written[]): string {
  const name = basename(specifier).replace(/\.js$/, '')
  const isIt = (other: string) => basename(other).replace(/\.tsx?$/, '') === name
  const shown = written.findLast(({ sample }) => sample.file !== undefined && isIt(sample.file))?.path
  const example = examples.find(isIt)
  return shown ?? (example === undefined ? `nothing-for-${specifier}` : `${root}docs/examples/${example}`)
}

const importPath = (target: string, from: string) => {
  const path = relative(dirname(from), target).replace(/\.tsx?$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}
