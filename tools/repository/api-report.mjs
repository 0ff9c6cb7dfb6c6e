// Writes down what each entry of the packages exports, with its types: npm run api, after npm run build. A changed public type shows
// in review. Comments are left out: they change nothing for code that compiles against the packages. TypeScript itself reads the
// declarations, so that the entries of Svelte, which name components, are read as the others.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
const packages = ['core', 'bindings/react', 'bindings/vue', 'bindings/svelte']

/** The declarations of an entry, as its package has them in `exports`. */
const declarationsOf = (conditions) =>
  typeof conditions.types === 'string' ? conditions.types : conditions.types.default

const entries = packages.flatMap((folder) => {
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([entry]) => entry !== './package.json')
    .map(([entry, conditions]) => ({
      report: `${folder}/api/${entry === '.' ? 'index' : entry.slice(2)}.txt`,
      file: join(root, folder, declarationsOf(conditions)),
    }))
})

/** @returns {Map<string, string>} the texts, by where they are kept */
export function makeReports() {
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      jsx: ts.JsxEmit.ReactJSX,
      skipLibCheck: true,
      types: [],
    },
  )
  const checker = program.getTypeChecker()
  const printer = ts.createPrinter({ removeComments: true })

  /** @param {ts.Symbol} module @param {string} indent @returns {string[]} */
  function exportsOf(module, indent = '') {
    const symbols = checker.getExportsOfModule(module)
    // By name: the order of the exports is no part of the API.
    const sorted = symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    return sorted.flatMap((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const declarations = target.declarations ?? []
      if (declarations.length === 0) throw new Error(`"${symbol.name}" of ${module.name} is declared nowhere`)
      if (declarations.some(ts.isSourceFile)) {
        const inner = exportsOf(target, `${indent}  `).join('\n')
        return `${indent}namespace ${symbol.name} {\n${inner}\n${indent}}`
      }
      const texts = declarations.flatMap((declaration) => textOf(declaration).split('\n'))
      if (target.name !== symbol.name) texts.unshift(`// as ${symbol.name}:`)
      return texts.map((line) => indent + line)
    })
  }

  /** @param {ts.Declaration} declaration */
  function textOf(declaration) {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
    return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
  }

  return new Map(
    entries.map(({ report, file }) => {
      const source = program.getSourceFile(file)
      const module = source && checker.getSymbolAtLocation(source)
      if (module === undefined) throw new Error(`${file} is no module. Run npm run build before.`)
      return [report, `${exportsOf(module).join('\n')}\n`]
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  // Made before the old ones are deleted.
  const reports = makeReports()
  for (const folder of packages) rmSync(join(root, folder, 'api'), { recursive: true, force: true })
  for (const [report, text] of reports) {
    mkdirSync(join(root, report, '..'), { recursive: true })
    writeFileSync(join(root, report), text)
  }
}
