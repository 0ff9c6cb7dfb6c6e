import type { EncodedSourceMap } from '@jridgewell/trace-mapping'
import { transform } from 'sucrase'
import type { Runnable } from '../run.js'
import { Problem } from './problem.js'

/** A module of edited code. */
export interface Compiled {
  /** A CommonJS module. */
  readonly code: string
  /** From its lines to those of the file. Without, they are the same. */
  readonly map?: EncodedSourceMap | undefined
}

/** @throws Problem if it is no component of its framework */
export type CompileComponent = (name: string, text: string) => Compiled

/** Each is a chunk of its own, of up to 200 kB. */
const components: Readonly<Record<Runnable, () => Promise<CompileComponent>>> = {
  react: () => Promise.resolve(compileScript),
  vue: async () => (await import('./compile-vue.js')).compileVue,
  svelte: async () => (await import('./compile-svelte.js')).compileSvelte,
}

/** @returns a compiler for the files of a sample: components of the framework, and TypeScript */
export async function loadCompiler(framework: Runnable): Promise<CompileComponent> {
  const compileComponent = await components[framework]()
  return (name, text) => (name.endsWith('.ts') ? compileScript : compileComponent)(name, text)
}

/** Compiles TypeScript with JSX. Types are removed, not checked. */
export function compileScript(name: string, text: string): Compiled {
  try {
    const { code } = transform(text, {
      transforms:
        name.endsWith('.ts') || name.endsWith('.vue')
          ? ['typescript', 'imports']
          : ['typescript', 'jsx', 'imports'],
      jsxRuntime: 'automatic',
      production: true,
      disableESTransforms: true,
      keepUnusedImports: false,
    })
    return { code }
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } }
    throw new Problem(message.replace(/ \(\d+:\d+\)$/, ''), name, loc?.line)
  }
}

/** Makes what a compiler has made a CommonJS module. */
export const toCommonJs = (code: string) =>
  transform(code, { transforms: ['imports'], disableESTransforms: true }).code
