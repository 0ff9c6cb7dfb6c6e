import type { EncodedSourceMap } from '@jridgewell/trace-mapping'
import { compileScript as compileSetup, parse } from 'vue/compiler-sfc'
import type { SFCBlock } from 'vue/compiler-sfc'
import { compileScript } from './compile.js'
import type { CompileComponent } from './compile.js'
import { Problem } from './problem.js'

/** Compiles a component with `<script setup>`. */
export const compileVue: CompileComponent = (name, text) => {
  const { descriptor, errors } = parse(text, { filename: name })
  const [error] = errors
  if (error !== undefined) throw problemOf(name, error)
  if (descriptor.scriptSetup === null) throw new Problem('A sample needs <script setup>.', name)
  const [style] = descriptor.styles
  if (style !== undefined)
    throw new Problem('A sample has the styles of the page.', name, style.loc.start.line)
  try {
    const { content, map } = compileSetup(descriptor, { id: name, inlineTemplate: true, isProd: true })
    return { ...compileScript(name, content), map: map as unknown as EncodedSourceMap | undefined }
  } catch (thrown) {
    throw thrown instanceof Problem ? thrown : problemOf(name, thrown as Error, descriptor.scriptSetup)
  }
}

/** An error of the template has the lines of the file, one of the script those of its block. */
function problemOf(name: string, error: LocatedError, script?: SFCBlock): Problem {
  const { loc } = error
  const [message = ''] = error.message.replace(/^\[[^\]]+\] /, '').split('\n')
  const marked = /^(\d+) +\|.*\n +\| +\^/m.exec(error.message)?.[1]
  const line =
    marked !== undefined
      ? Number(marked)
      : loc === undefined
        ? undefined
        : 'start' in loc
          ? loc.start.line
          : loc.line + (script?.loc.start.line ?? 1) - 1
  return new Problem(message.replace(/ \(\d+:\d+\)$/, ''), name, line)
}

type LocatedError = Error & { loc?: { start: { line: number } } | { line: number } }
