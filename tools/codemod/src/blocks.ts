import type { JSCodeshift } from 'jscodeshift'
import { Script } from './script.js'
import type { Remark, SourceFile } from './script.js'

/** A source file with its parsed scripts. */
export interface Parsed {
  readonly file: SourceFile
  readonly scripts: readonly Script[]
  /** Prints the file with the current code of its scripts. */
  print(): string
}

const scriptBlock = /(<script\b([^>]*)>)([\s\S]*?)<\/script>/g

/**
 * Parses a file: one script, or the script blocks of a .vue or .svelte file.
 *
 * @throws a SyntaxError if a script cannot be parsed
 */
export function parseFile(jscodeshift: JSCodeshift, file: SourceFile, remarks: Remark[]): Parsed {
  const { path, text } = file
  if (!/\.(vue|svelte)$/.test(path)) {
    const isTypeScript = /\.[cm]?tsx?$/.test(path)
    const block = { path, isTypeScript, isJsx: !/\.[cm]?ts$/.test(path), template: '', firstLine: 1 }
    const script = new Script(jscodeshift, text, block, remarks)
    return { file, scripts: [script], print: () => script.print() }
  }
  const blocks = [...text.matchAll(scriptBlock)].map(
    ({ index, 1: tag = '', 2: attributes = '', 3: code = '' }) => {
      const start = index + tag.length
      const isTypeScript = /\blang=["']tsx?["']/.test(attributes)
      const firstLine = text.slice(0, start).split('\n').length
      const template = text.slice(0, start) + text.slice(start + code.length)
      const block = { path, isTypeScript, isJsx: !/\blang=["']ts["']/.test(attributes), template, firstLine }
      return { start, end: start + code.length, script: new Script(jscodeshift, code, block, remarks) }
    },
  )
  return {
    file,
    scripts: blocks.map(({ script }) => script),
    print: () =>
      // From the last block to the first, so that the offsets of earlier blocks stay valid.
      blocks.reduceRight(
        (printed, { start, end, script }) => printed.slice(0, start) + script.print() + printed.slice(end),
        text,
      ),
  }
}
