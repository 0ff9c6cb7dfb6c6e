import type { EncodedSourceMap } from '@jridgewell/trace-mapping'
import { compile } from 'svelte/compiler'
import { toCommonJs } from './compile.js'
import type { CompileComponent } from './compile.js'
import { Problem } from './problem.js'

/** Compiles a component with runes. */
export const compileSvelte: CompileComponent = (name, text) => {
  try {
    const { js } = compile(text, { filename: name, generate: 'client', css: 'injected', runes: true })
    return { code: toCommonJs(js.code), map: js.map as unknown as EncodedSourceMap }
  } catch (error) {
    const { message, start } = error as Error & { start?: { line: number } }
    throw new Problem(message.split('\n')[0] ?? message, name, start?.line)
  }
}
