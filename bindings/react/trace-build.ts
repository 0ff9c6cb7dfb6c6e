import { mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import ts from 'typescript'

const project = join(import.meta.dirname, '../..')

/** What a traced build calls at the entry of each of its functions. */
interface Traced {
  traceEntry?: ((file: string, name: string) => void) | undefined
}

/** What ran between two moments. */
export interface Trace {
  /** The number of source files. */
  readonly files: number
  /** The number of different functions. */
  readonly functions: number
  /** The number of calls of these functions. */
  readonly calls: number
  /** The most functions on the stack at once. Functions of the framework, of the platform and of tests do not count. */
  readonly deepest: number
}

/**
 * Builds core and a binding for production, with a call at the entry of each function.
 *
 * @param code - the module to build
 * @returns the module
 */
export async function buildTraced(code: string): Promise<Record<string, never>> {
  const folder = import.meta.dirname
  const outfile = join(folder, 'node_modules', '.traced', 'traced.mjs')
  await mkdir(join(folder, 'node_modules', '.traced'), { recursive: true })
  await esbuild.build({
    stdin: { contents: code, resolveDir: folder, loader: 'ts' },
    bundle: true,
    outfile,
    format: 'esm',
    target: 'es2022',
    conditions: ['selfsame-source'],
    external: ['react', 'react-dom'],
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'trace',
        setup(build) {
          build.onLoad({ filter: /util\/development\.ts$/ }, () => ({
            contents: 'export const development = false',
          }))
          build.onLoad({ filter: /(core|react)\/src\/.*\.tsx?$/ }, ({ path }) => ({
            contents: traced(path, ts.sys.readFile(path) ?? ''),
            loader: 'js',
          }))
        },
      },
    ],
  })
  const built = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Record<string, never>
  await rm(outfile)
  return built
}

/** Runs code of a traced build, and tells what ran. */
export async function trace(run: () => Promise<unknown>): Promise<Trace> {
  const functions = new Map<string, number>()
  const files = new Set<string>()
  let deepest = 0
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 1000
  const page = globalThis as Traced
  page.traceEntry = (file, name) => {
    files.add(file)
    functions.set(`${file} ${name}`, (functions.get(`${file} ${name}`) ?? 0) + 1)
    const frames = (new Error().stack ?? '').split('\n').filter((line) => line.includes('traced.mjs'))
    deepest = Math.max(deepest, frames.filter((line) => !/\n? at async /.test(line)).length)
  }
  try {
    await run()
  } finally {
    page.traceEntry = undefined
    Error.stackTraceLimit = stackTraceLimit
  }
  const calls = [...functions.values()].reduce((sum, count) => sum + count, 0)
  return { files: files.size, functions: functions.size, calls, deepest }
}

/** The JavaScript of a source file, with a call at the entry of each function. */
function traced(path: string, text: string): string {
  const file = relative(project, path)
  const transform: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const { factory } = context
    const entry = (node: ts.Node): ts.Statement => {
      const name = `${node.getSourceFile()?.fileName ?? ''}${node.pos}`
      const positions = [factory.createStringLiteral(file), factory.createStringLiteral(name)]
      const callee = factory.createIdentifier('globalThis.traceEntry?.')
      return factory.createExpressionStatement(factory.createCallExpression(callee, undefined, positions))
    }
    const visit = (node: ts.Node): ts.Node => {
      const seen = ts.visitEachChild(node, visit, context)
      const body = (seen as Partial<ts.ArrowFunction>).body
      if (!ts.isFunctionLike(seen) || body === undefined) return seen
      const block = ts.isBlock(body)
        ? factory.updateBlock(body, [entry(node), ...body.statements])
        : factory.createBlock([entry(node), factory.createReturnStatement(body)])
      return ts.visitEachChild(seen, (child) => (child === body ? block : child), context)
    }
    return (source) => ts.visitNode(source, visit) as ts.SourceFile
  }
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    jsx: ts.JsxEmit.ReactJSX,
    useDefineForClassFields: true,
    verbatimModuleSyntax: true,
    // After `return` a comment would end the statement.
    removeComments: true,
  }
  const output = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: options,
    transformers: { before: [transform] },
  })
  return output.outputText
}
