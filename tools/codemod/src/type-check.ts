import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

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
    const compiler = this.#compiler
    const unchecked =
      compiler === undefined
        ? 'the application has no TypeScript in node_modules'
        : this.#find('@selfsame/core', 'package.json') === undefined
          ? 'install @selfsame/core and the binding first, and run the compiler afterwards'
          : undefined
    if (compiler === undefined || unchecked !== undefined) {
      change()
      return { unchecked: unchecked ?? '' }
    }
    const before = this.#errors(compiler)
    change()
    const after = this.#errors(compiler)
    const known = new Set(before.map(withoutPlace))
    return {
      before: before.length,
      after: after.length,
      added: after.filter((error) => !known.has(withoutPlace(error))),
    }
  }

  #errors(compiler: string): string[] {
    const args = [compiler, '--noEmit', '--pretty', 'false', '-p', this.#folder]
    const { stdout } = spawnSync(process.execPath, args, {
      cwd: this.#folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    return stdout.split('\n').filter((line) => /\berror TS\d+: /.test(line))
  }

  /** Finds a file of a package of the application. */
  #find(name: string, file: string): string | undefined {
    const { paths } = createRequire(join(this.#folder, 'x.js')).resolve
    return paths(name)
      ?.map((path) => join(path, name, file))
      .find((path) => existsSync(path))
  }
}

/** The lines move with the code. */
function withoutPlace(error: string): string {
  return error.replace(/\(\d+,\d+\)/, '')
}
