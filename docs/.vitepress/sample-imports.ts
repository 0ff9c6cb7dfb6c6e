import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'
import { frameworkOf } from './frameworks.js'
import type { FrameworkId } from './frameworks.js'
import { root } from './pages.js'
import { entries } from './reference.js'

// Guides show what matters of a file. What a sample needs besides, its imports and what it takes as given, is put in front of it here, so
// that a reader can copy it. `samples.test.ts` compiles each sample with these lines.

/** A code fence of a page. */
export interface Sample {
  /** The page, from the root of the repository. */
  readonly page: string
  readonly line: number
  /** Such as `ts [Vue]`. */
  readonly info: string
  readonly code: string
  readonly framework: FrameworkId | undefined
  /** The file that its first line names, such as `api.ts`. */
  readonly file: string | undefined
}

/** Where a name comes from that a sample does not declare. */
export interface Origin {
  readonly name: string
  /** As an application imports it; `undefined` for a variable that is declared as given. */
  readonly from: string | undefined
  /** `declare const id: number`, or an import. */
  readonly statement: string
  /** What has it in this repository: a file from its root, or an earlier sample of the page. */
  readonly target: string | Sample | undefined
}

/** More lines are folded. */
const mostOpen = 3

export const isCode = (info: string) => /^(?:tsx?|vue|svelte)\b/.test(info)

/** The samples of a page, in their order. One with a hook that is the same in each framework counts once for each. */
export function samplesOf(page: string, text: string): Sample[] {
  return [...text.matchAll(fences)].flatMap((match) => {
    const [, info = '', code = ''] = match
    if (!isCode(info)) return []
    const line = text.slice(0, match.index).split('\n').length
    return variantsOf(page, info, code).map((variant) => ({
      page,
      line,
      info: variant,
      code,
      framework: frameworkOf(variant) ?? bindingOf(page),
      file: /^(?:\/\/|<!--) ([\w./-]+\.\w+)/.exec(code)?.[1],
    }))
  })
}

const fences = /^```(\w.*)\n([\s\S]*?)^```$/gm

const bindingOf = (page: string) =>
  /^bindings\/(react|vue|svelte)\//.exec(page)?.[1] as FrameworkId | undefined

/** The labels of a fence: `ts`, or `ts [React]`, `ts [Vue]` and `ts [Svelte]` if a hook in it has no other sign of a framework. */
function variantsOf(page: string, info: string, code: string): string[] {
  const isNeutral =
    info === 'ts' && bindingOf(page) === undefined && !/@selfsame\/(?:react|vue|svelte)/.test(code)
  if (!isNeutral || page.startsWith('docs/errors/')) return [info]
  const hasHook = [...namesOf(code, info).free.keys()].some(
    (name) => /^use[A-Z]/.test(name) && packageOf(name, false, 'react') !== undefined,
  )
  return hasHook ? ['ts [React]', 'ts [Vue]', 'ts [Svelte]'] : [info]
}

/** The lines that a sample needs in front of it. @param earlier - the samples above it in its page */
export function importsOf(sample: Sample, earlier: readonly Sample[]): string[] {
  const origins = originsOf(sample, earlier).filter((origin) => !isOfSameFile(origin, sample))
  const imports = new Map<string, string[]>()
  for (const { from, statement } of origins)
    if (from !== undefined) imports.set(from, [...(imports.get(from) ?? []), statement])
  return [
    ...[...imports].toSorted(([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b)).flatMap(importLines),
    ...origins.flatMap(({ from, statement }) => (from === undefined ? statement.split('\n') : [])),
  ]
}

/** Whether a name stands further up in the file that a sample continues. */
export const isOfSameFile = ({ target }: Origin, { file }: Sample) =>
  file !== undefined && typeof target === 'object' && target.file === file

/** A page, with the lines in front of each sample. A fence with `imports=5` begins with five such lines, which are folded. */
export function withImports(page: string, text: string): string {
  const samples = samplesOf(page, text)
  return text.replace(fences, (all, info: string, code: string, at: number) => {
    const line = text.slice(0, at).split('\n').length
    const here = samples.filter((sample) => sample.line === line)
    if (here.length === 0) return all
    const above = samples.slice(
      0,
      samples.findIndex((sample) => sample.line === line),
    )
    return here.map((sample) => fenceOf(sample, importsOf(sample, above))).join('\n\n')
  })
}

function fenceOf({ info, code }: Sample, lines: readonly string[]): string {
  const isScript = info.startsWith('ts')
  const fold = isScript && lines.length > mostOpen ? ` imports=${lines.length}` : ''
  return `\`\`\`${info}${fold}\n${withLines(info, lines, code)}\`\`\``
}

/** Code with lines in front of it: in a component, in its script. */
export function withLines(info: string, lines: readonly string[], code: string): string {
  if (lines.length === 0) return code
  if (!/^(?:vue|svelte)\b/.test(info))
    return `${lines.join('\n')}\n${code.startsWith('import ') ? '' : '\n'}${code}`
  const indent = info.startsWith('svelte') ? '  ' : ''
  return code.replace(/(<script\b[^>]*>\n)/, `$1${lines.map((line) => `${indent}${line}\n`).join('')}`)
}

/** Where the names of a sample come from that it does not declare. */
export function originsOf(sample: Sample, earlier: readonly Sample[]): Origin[] {
  const { free } = namesOf(scriptOf(sample), sample.info)
  const origins = new Map<string, Origin>()
  const add = (name: string, isType: boolean) => {
    const origin = originOf(name, isType, sample, earlier)
    if (origin === undefined || origins.has(name)) return
    origins.set(name, origin)
    if (origin.from === undefined)
      for (const [inner, isInnerType] of namesOf(origin.statement, 'ts').free) add(inner, isInnerType)
  }
  for (const [name, isType] of free) add(name, isType)
  return [...origins.values()]
}

/** What a name means in a page: what the page says, else what it declared above, else what a package or all pages have. */
export function originOf(
  name: string,
  isType: boolean,
  sample: Sample,
  earlier: readonly Sample[],
): Origin | undefined {
  const own = givenOn(sample).get(name)
  if (own !== undefined) return { ...own, statement: typed(own.statement, isType) }
  const declaring = earlier.filter(
    (other) => other.info.startsWith('ts') && namesOf(other.code, other.info).declared.has(name),
  )
  const above = declaring.findLast(
    ({ framework }) => framework === undefined || framework === sample.framework,
  )
  if (above !== undefined) return fromAbove(name, isType, above)
  const from = packageOf(name, isType, sample.framework)
  if (from !== undefined) return { name, from, statement: typed(name, isType), target: undefined }
  const common = givenTo('common').get(name)
  if (common !== undefined) return { ...common, statement: typed(common.statement, isType) }
  const last = declaring.at(-1)
  return sample.framework === undefined && last !== undefined ? fromAbove(name, isType, last) : undefined
}

const fromAbove = (name: string, isType: boolean, sample: Sample): Origin => ({
  name,
  from: `./${sample.file?.replace(/\.tsx?$/, '.js') ?? 'api.js'}`,
  statement: typed(name, isType),
  target: sample,
})

const typed = (statement: string, isType: boolean) =>
  isType && !/^(?:\* as|default as|declare|export) /.test(statement) && !statement.includes('\n')
    ? `type ${statement}`
    : statement

/** Packages before the files of the application. */
const rankOf = (from: string) => (from.startsWith('.') ? 2 : from.startsWith('@selfsame') ? 0 : 1)

/** One import of types only, and one of values, as a formatter breaks them. */
function importLines([from, names]: readonly [string, readonly string[]]): string[] {
  const types = names.filter((name) => name.startsWith('type ')).map((name) => name.slice('type '.length))
  const whole = names.flatMap((name) => /^\* as \w+$|(?<=^default as )\w+$/.exec(name) ?? [])
  const values = names.filter((name) => !/^(?:type |\* as |default as )/.test(name))
  return [
    ...whole.map((name) => `import ${name} from '${from}'`),
    ...namedImport('import', values, from),
    ...namedImport('import type', types, from),
  ]
}

function namedImport(word: string, names: readonly string[], from: string): string[] {
  if (names.length === 0) return []
  const sorted = names.toSorted()
  const line = `${word} { ${sorted.join(', ')} } from '${from}'`
  return line.length <= 80 ? [line] : [`${word} {`, ...sorted.map((name) => `  ${name},`), `} from '${from}'`]
}

/** The part of a sample that is TypeScript. */
export const scriptOf = ({ info, code }: Pick<Sample, 'info' | 'code'>) =>
  /^(?:vue|svelte)\b/.test(info)
    ? [...code.matchAll(/<script\b[^>]*>\n([\s\S]*?)<\/script>/g)].map(([, script]) => script).join('\n')
    : code

interface Names {
  /** Names that the code uses and does not declare, with whether it uses them as types only. */
  readonly free: ReadonlyMap<string, boolean>
  /** What the code declares, in whatever scope, without its imports. */
  readonly declared: ReadonlySet<string>
}

const namesByCode = new Map<string, Names>()

export function namesOf(code: string, info: string): Names {
  const key = `${info}\n${code}`
  const names = namesByCode.get(key) ?? findNames(code, info)
  namesByCode.set(key, names)
  return names
}

function findNames(code: string, info: string): Names {
  const file = parse(code, info.startsWith('tsx') ? 'sample.tsx' : 'sample.ts')
  const known = new Set<string>()
  const declared = new Set<string>()
  const used = new Map<string, boolean>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isDeclaration(node)) known.add(node.text)
      else if (isUse(node)) used.set(node.text, isInType(node) && (used.get(node.text) ?? true))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  for (const statement of file.statements) for (const name of declaredBy(statement)) declared.add(name)
  return { free: new Map([...used].filter(([name]) => !known.has(name))), declared }
}

export const parse = (code: string, name: string) =>
  ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true)

/** The names that a statement declares for the file. */
export function declaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundBy(name))
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

const boundBy = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundBy(element.name)))

function isDeclaration(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent))
    return parent.name === node
  const isNamed =
    ts.isVariableDeclaration(parent) ||
    ts.isBindingElement(parent) ||
    ts.isParameter(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isFunctionExpression(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isClassExpression(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isTypeParameterDeclaration(parent) ||
    ts.isEnumDeclaration(parent)
  return isNamed && parent.name === node
}

/** Whether an identifier refers to something: it is no name of a property, an attribute, a label or an element of HTML. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isMetaProperty(parent)) return false
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false
  if (ts.isQualifiedName(parent)) return parent.left === node
  if (ts.isJsxAttribute(parent) || ts.isNamedTupleMember(parent) || ts.isTypePredicateNode(parent))
    return false
  if (isJsxTag(parent)) return /^[A-Z]/.test(node.text)
  return !('name' in parent && parent.name === node)
}

const isJsxTag = (node: ts.Node) =>
  ts.isJsxOpeningElement(node) || ts.isJsxClosingElement(node) || ts.isJsxSelfClosingElement(node)

function isInType(node: ts.Identifier): boolean {
  let at: ts.Node = node.parent
  while (ts.isQualifiedName(at)) at = at.parent
  if (ts.isExpressionWithTypeArguments(at))
    return ts.isHeritageClause(at.parent) && at.parent.token === ts.SyntaxKind.ImplementsKeyword
  return ts.isTypeNode(at)
}

/** What all pages, or one of them, take from the application of the reader: `docs/examples/names` says it. */
const givenByFile = new Map<string, ReadonlyMap<string, Origin>>()

function givenOn({ page, framework }: Sample): ReadonlyMap<string, Origin> {
  const name = page
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replaceAll('/', '-')
  return new Map([...givenTo(name), ...givenTo(`${name}.${framework}`)])
}

function givenTo(name: string): ReadonlyMap<string, Origin> {
  const found = givenByFile.get(name) ?? readGiven(`docs/examples/names/${name}.ts`)
  givenByFile.set(name, found)
  return found
}

function readGiven(path: string): ReadonlyMap<string, Origin> {
  if (!existsSync(`${root}${path}`)) return new Map()
  const file = parse(readFileSync(`${root}${path}`, 'utf8'), path)
  const origins = file.statements.flatMap((statement): Origin[] => {
    if (ts.isExportDeclaration(statement) || ts.isImportDeclaration(statement)) {
      const specifier = (statement.moduleSpecifier as ts.StringLiteral).text
      const from = specifier.startsWith('.') ? `./${basename(specifier)}` : specifier
      return broughtBy(statement).map(({ name, statement: brought }) => ({
        name,
        statement: brought,
        from,
        target: path,
      }))
    }
    return declaredBy(statement).map((name) => ({
      name,
      from: undefined,
      statement: statement.getText(file).replace(/^export /, ''),
      target: path,
    }))
  })
  return new Map(origins.map((origin) => [origin.name, origin]))
}

/** The names that a statement takes from another module, and how an import writes them: `a`, `a as b`, `* as a`. */
function broughtBy(
  statement: ts.ExportDeclaration | ts.ImportDeclaration,
): { name: string; statement: string }[] {
  const clause = ts.isExportDeclaration(statement)
    ? statement.exportClause
    : statement.importClause?.namedBindings
  if (clause === undefined) return []
  if (ts.isNamespaceExport(clause) || ts.isNamespaceImport(clause))
    return [{ name: clause.name.text, statement: `* as ${clause.name.text}` }]
  return clause.elements.map(({ name, propertyName }) => ({
    name: name.text,
    statement: propertyName === undefined ? name.text : `${propertyName.text} as ${name.text}`,
  }))
}

/** What the packages export, and whether that is a type only. */
let packages: { name: string; binding: string | undefined; names: ReadonlyMap<string, boolean> }[] | undefined

/** The import that has a name, for a framework. */
function packageOf(name: string, isType: boolean, framework: FrameworkId | undefined): string | undefined {
  packages ??= entries.map((entry) => ({
    name: entry.name,
    binding: /^@selfsame\/(react|vue|svelte)/.exec(entry.name)?.[1],
    names: exportsOf(entry.file),
  }))
  const has = ({ names }: { names: ReadonlyMap<string, boolean> }) =>
    names.get(name) === false || (isType && names.has(name))
  const own = packages.find((one) => one.binding === framework && framework !== undefined && has(one))
  return (own ?? packages.find((one) => one.binding === undefined && has(one)))?.name
}

function exportsOf(path: string): Map<string, boolean> {
  const file = parse(readFileSync(`${root}${path}`, 'utf8'), path)
  return new Map(
    file.statements.flatMap((statement): [string, boolean][] => {
      if (!ts.isExportDeclaration(statement)) return declaredBy(statement).map((name) => [name, false])
      const { exportClause, isTypeOnly } = statement
      if (exportClause === undefined) return []
      return ts.isNamespaceExport(exportClause)
        ? [[exportClause.name.text, false]]
        : exportClause.elements.map(({ name }) => [name.text, isTypeOnly])
    }),
  )
}
