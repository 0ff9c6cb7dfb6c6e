import { join } from 'node:path'
import ts from 'typescript'
import type { WrittenFile } from './options.js'

const root = join(import.meta.dirname, '../../..')

const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['selfsame-source'],
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
}

/**
 * Checks the types of files that stand nowhere, strictly.
 *
 * @param files - with paths such as `github/index.ts`. They import the core of this repository
 * @returns the errors, each with its place
 */
export function typeErrors(files: readonly WrittenFile[]): string[] {
  const folder = join(root, 'tools/openapi/virtual')
  const texts = new Map(files.map(({ path, text }) => [join(folder, path), text]))
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile, directoryExists } = host
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path)
  host.readFile = (path) => texts.get(path) ?? readFile.call(host, path)
  host.directoryExists = (path) => path.startsWith(folder) || directoryExists?.call(host, path) === true
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path)
    return text === undefined
      ? getSourceFile.call(host, path, version, ...rest)
      : ts.createSourceFile(path, text, version)
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
    const place = file === undefined ? '' : file.fileName.slice(folder.length + 1)
    return `${place}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}
