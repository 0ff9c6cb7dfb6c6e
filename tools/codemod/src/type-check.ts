import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The errors of an application before and after a run; or why its types were not checked. */
export type Types =
  | { readonly before: number; readonly after: number; readonly added: readonly string[] }
  | { readonly unchecked: string }

/** Checks the types of an application with its own compiler. */
export class TypeCheck {
  readonly #folder: string
  readonly #compiler: string | undefined

  /**
   * @param folder - that of its `tsconfig.json`
   * @param hasVue - whether it has components of Vue, which need `vue-tsc`
   */
  constructor(folder: string, hasVue: boolean) {
    this.#folder = folder
    this.#compiler = hasVue ? this.#find('vue-tsc', 'bin/vue-tsc.js') : this.#find('typescript', 'bin/tsc')
  }

  /** Runs `change` between two checks. */
  around(change: () => void): Types {
    const before = this.#errors()
    change()
    if (typeof before === 'string') return { unchecked: before }
    const after = this.#errors()
    if (typeof after === 'string') return { unchecked: after }
    return { before: before.length, after: after.length, added: addedTo(before, after) }
  }

  /** The errors; or, as text, why there is no telling. */
  #errors(): readonly string[] | string {
    if (this.#compiler === undefined) return 'the application has no TypeScript in node_modules'
    if (this.#find('@selfsame/core', 'package.json') === undefined)
      return 'install @selfsame/core and the binding first, and run the compiler afterwards'
    const errors: string[] = []
    const projects = this.#projects(this.#compiler)
    if (typeof projects === 'string') return projects
    for (const project of projects) {
      const { status, stdout } = this.#run(this.#compiler, ['--noEmit', '--pretty', 'false', '-p', project])
      const found = stdout.split('\n').filter((line) => /\berror TS\d+: /.test(line))
      if (status !== 0 && found.length === 0) return `the compiler failed for ${nameOf(project)}`
      errors.push(...found)
    }
    return errors
  }

  /** The project and those that it refers to (Vite's `tsconfig.json` has no files, only `references`); or why they cannot be checked. */
  #projects(compiler: string): readonly string[] | string {
    const known = new Set([this.#folder])
    const empty = new Set<string>()
    // Those that are added meanwhile come, too.
    for (const project of known) {
      const { status, stdout } = this.#run(compiler, ['--showConfig', '-p', project])
      if (status !== 0) continue
      const {
        files = [],
        references = [],
        compilerOptions,
      } = JSON.parse(stdout) as {
        files?: readonly string[]
        references?: readonly { readonly path: string }[]
        compilerOptions?: { readonly moduleResolution?: string }
      }
      if (/^(node|node10|classic)$/.test(compilerOptions?.moduleResolution ?? ''))
        return `set "moduleResolution": "bundler" in ${nameOf(project)}, and run the compiler afterwards: with "${compilerOptions?.moduleResolution}" it finds no entry of @selfsame/core`
      if (files.length === 0 && references.length > 0) empty.add(project)
      const folder = project.endsWith('.json') ? dirname(project) : project
      for (const { path } of references) known.add(join(folder, path))
    }
    return [...known].filter((project) => !empty.has(project))
  }

  #run(compiler: string, args: readonly string[]): { status: number | null; stdout: string } {
    return spawnSync(process.execPath, [compiler, ...args], {
      cwd: this.#folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
  }

  /** Finds a file of a package of the application. */
  #find(name: string, file: string): string | undefined {
    const { paths } = createRequire(join(this.#folder, 'x.js')).resolve
    return paths(name)
      ?.map((path) => join(path, name, file))
      .find((path) => existsSync(path))
  }
}

const nameOf = (project: string) => (project.endsWith('.json') ? basename(project) : 'tsconfig.json')

/**
 * The errors that are new. The lines move with the code, and a message may name its types otherwise: a file has a new error of a kind
 * if it has more of that kind than before.
 */
function addedTo(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before.map(withoutPlace))
  const left = new Map<string, number>()
  for (const error of before) left.set(kindOf(error), (left.get(kindOf(error)) ?? 0) + 1)
  const isLeft = (error: string) => {
    const count = left.get(kindOf(error)) ?? 0
    left.set(kindOf(error), count - 1)
    return count > 0
  }
  const others = after.filter((error) => !known.has(withoutPlace(error)) || !isLeft(error))
  return others.filter((error) => !isLeft(error))
}

function withoutPlace(error: string): string {
  return error.replace(/\(\d+,\d+\)/, '')
}

/** `src/api.ts TS2345` */
function kindOf(error: string): string {
  return error.replace(/\(\d+,\d+\): error (TS\d+).*/, ' $1')
}
