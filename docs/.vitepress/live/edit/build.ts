import { TraceMap, originalPositionFor } from '@jridgewell/trace-mapping'
import type { Runnable } from '../run.js'
import { loadCompiler } from './compile.js'
import type { Compiled } from './compile.js'
import { createGuard, guardLoops } from './guard.js'
import { compiled as ofCompilers, known } from './modules.js'
import { Problem } from './problem.js'
import { runModule } from './run-module.js'
import type { Require } from './run-module.js'
import type { Files } from './sources.js'

/** An edited sample that was compiled. */
export interface Version {
  readonly component: unknown
  /** @returns where the code of the sample threw, `undefined` if the error is of other code */
  locate(error: unknown): Problem | undefined
}

interface Module extends Compiled {
  readonly name: string
  /** What it imports: the name of a file, or that of a package. */
  readonly imports: ReadonlyMap<string, string>
}

/**
 * Compiles the files of a sample, and runs them up to their exports.
 *
 * @throws Problem if they cannot be compiled, import what is not there, or throw
 */
export async function build(framework: Runnable, files: Files): Promise<Version> {
  const compile = await loadCompiler(framework)
  const [main = ''] = files.keys()
  const modules = new Map<string, Module>()
  const packages = new Map<string, object>()
  const loaded = loadersOf(framework)

  async function add(name: string): Promise<void> {
    const text = files.get(name) ?? ''
    const { code, map } = compile(name, text)
    const imports = new Map<string, string>()
    modules.set(name, { name, code: guardLoops(code), map, imports })
    for (const [, specifier = ''] of code.matchAll(/\brequire\(['"]([^'"]+)['"]\)/g)) {
      if (specifier.startsWith('.')) {
        const file =
          fileOf(files, specifier) ??
          missing(
            name,
            text,
            specifier,
            [...files.keys()].map((key) => `./${key}`),
          )
        imports.set(specifier, file)
        if (!modules.has(file)) await add(file)
      } else {
        const load = loaded[specifier] ?? missing(name, text, specifier, Object.keys(known[framework]))
        packages.set(specifier, named(specifier, await load()))
      }
    }
  }

  await add(main)
  const urls = new Map<string, Module>()
  const guard = createGuard()
  const factories = new Map(
    await Promise.all(
      [...modules.values()].map(
        async (module) =>
          [
            module.name,
            await runModule(module.name, module.code, guard, (url) => urls.set(url, module)),
          ] as const,
      ),
    ).catch((error: unknown) => {
      throw toProblem(error, urls)
    }),
  )

  const exported = new Map<string, Record<string, unknown>>()
  function exportsOf(name: string): Record<string, unknown> {
    const found = exported.get(name)
    if (found !== undefined) return found
    const exports: Record<string, unknown> = {}
    exported.set(name, exports)
    const require: Require = (specifier) => {
      const file = modules.get(name)?.imports.get(specifier)
      return file === undefined ? (packages.get(specifier) ?? {}) : exportsOf(file)
    }
    factories.get(name)?.(require, exports)
    return exports
  }

  const locate = (error: unknown) => locateIn(error, urls)
  try {
    const exports = exportsOf(main)
    const name = main.replace(/\..*/, '')
    const component = exports['default'] ?? exports[name]
    if (component === undefined) throw new Problem(`${main} must export ${name}.`, main)
    return { component, locate }
  } catch (error) {
    throw toProblem(error, urls)
  }
}

const loadersOf = (framework: Runnable) => ({ ...known[framework], ...ofCompilers[framework] })

/** `./api.js`, `./api` and `./api.ts` are the file `api.ts`. */
function fileOf(files: Files, specifier: string): string | undefined {
  const name = specifier.replace(/^\.\//, '').replace(/\.js$/, '')
  return [name, `${name}.ts`, `${name}.tsx`].find((candidate) => files.has(candidate))
}

function missing(name: string, text: string, specifier: string, available: readonly string[]): never {
  const line = text.split('\n').findIndex((row) => row.includes(specifier)) + 1
  throw new Problem(
    `“${specifier}” is not available here. A sample can import ${available.join(', ')}.`,
    name,
    line === 0 ? undefined : line,
  )
}

/** A module that tells of a name which it does not have, instead of handing out `undefined`. */
function named(specifier: string, module: object): object {
  return new Proxy(Object.create(module) as object, {
    get(_, key) {
      if (key === '__esModule') return true
      if (key in module || typeof key === 'symbol' || key === 'default')
        return (module as Record<PropertyKey, unknown>)[key]
      throw new Error(`${specifier} has no “${key}” here. It has ${Object.keys(module).join(', ')}.`)
    },
  })
}

function toProblem(error: unknown, urls: ReadonlyMap<string, Module>): Problem {
  if (error instanceof Problem) return error
  return locateIn(error, urls) ?? new Problem(messageOf(error))
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The first place in the stack that is of the sample. */
function locateIn(error: unknown, urls: ReadonlyMap<string, Module>): Problem | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  for (const [, url = '', line, column] of stack.matchAll(/(blob:[^\s)]+?):(\d+):(\d+)/g)) {
    const module = urls.get(url)
    if (module !== undefined)
      return new Problem(messageOf(error), module.name, lineOf(module, Number(line), Number(column)))
  }
  return undefined
}

function lineOf({ map }: Module, line: number, column: number): number | undefined {
  if (map === undefined) return line
  const trace = new TraceMap(map)
  const before = originalPositionFor(trace, { line, column: column - 1 })
  return before.line ?? originalPositionFor(trace, { line, column: 0, bias: 1 }).line ?? undefined
}
