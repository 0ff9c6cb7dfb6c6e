import { transformAsync } from '@babel/core'
import type { Plugin } from 'vite'

/** A function that React Compiler has compiled, or why it has not. */
export interface CompilerEvent {
  readonly kind: 'CompileSuccess' | 'CompileError' | 'CompileSkip' | 'PipelineError'
  readonly fnName?: string | null
  readonly fnLoc?: { readonly start: { readonly line: number } }
  readonly detail?: { readonly reason?: string }
}

/**
 * Compiles the components and hooks of a file with React Compiler. Like a build, it leaves what it cannot compile as it is.
 *
 * @returns the code, with types and JSX, and what became of each component and hook
 */
export async function compile(file: string, text: string) {
  const events: CompilerEvent[] = []
  const logger = { logEvent: (_: string, event: CompilerEvent) => events.push(event) }
  const compiled = await transformAsync(text, {
    filename: file,
    configFile: false,
    babelrc: false,
    sourceMaps: true,
    parserOpts: { plugins: ['typescript', 'jsx'] },
    plugins: [['babel-plugin-react-compiler', { logger }]],
  })
  return { code: compiled?.code ?? text, map: compiled?.map ?? null, events }
}

/** The components of the suites and of the samples, but not the binding, whose users get it as it is. */
const isCompiled = (file: string): boolean =>
  /\/bindings\/react\/[\w-]+\.tsx$|\/docs\/examples\/.*\.tsx$/.test(file) && !file.includes('.test.')

/** Compiles them before Vite reads them. */
export const reactCompiler = (): Plugin => ({
  name: 'react-compiler',
  enforce: 'pre',
  transform: async (text, file) => {
    if (!isCompiled(file)) return null
    const { code, map } = await compile(file, text)
    return { code, map }
  },
})
