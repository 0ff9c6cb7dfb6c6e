import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

// The linter refuses `any` without a comment that allows it. The comment has its reason: in the line above, or after ` -- `.

const root = join(import.meta.dirname, '../..')
const rule = 'typescript/no-explicit-any'

const sources = [
  'core/src',
  'bindings/react/src',
  'bindings/vue/src',
  'bindings/svelte/src',
  'tools/devtools/src',
].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|svelte)$/.test(file) && !/\.test|\.test-d|\/testing-|\.d\.ts$/.test(file))
    .map((file) => join(folder, file)),
)

/** The script of a component, on the same lines. */
const scriptOf = (file: string, text: string): string => {
  if (!file.endsWith('.svelte')) return text
  let isInside = false
  const lines = text.split('\n').map((line) => {
    const isTag = /^<\/?script/.test(line)
    if (isTag) isInside = !line.startsWith('</')
    return isInside && !isTag ? line : ''
  })
  return lines.join('\n')
}

/** The lines of a file with the type `any`, from 0. */
function linesOfAny(file: string, text: string): ReadonlySet<number> {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword)
      lines.add(source.getLineAndCharacterOfPosition(node.getStart()).line)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

/** Returns `true` if the comment that allows a line has a reason. */
function hasReason(lines: readonly string[], line: number): boolean {
  const next = lines[line - 1] ?? ''
  const isOfNext = next.includes('eslint-disable-next-line') && next.includes(rule)
  const block = lines
    .slice(0, line)
    .findLastIndex((each) => /eslint-disable (?!.*next)/.test(each) && each.includes(rule))
  const at = isOfNext ? line - 1 : block
  if (at === -1) return false
  return / -- \w/.test(lines[at] ?? '') || /^\s*[?:|&]?\s*\/\/ ?(?!eslint)[\w`].{9}/.test(lines[at - 1] ?? '')
}

function unreasoned(file: string, given: string): string[] {
  const text = scriptOf(file, given)
  const lines = text.split('\n')
  return [...linesOfAny(file, text)]
    .filter((line) => !hasReason(lines, line))
    .map((line) => `${file}:${line + 1}: ${lines[line]?.trim()}`)
}

test('each any of the core and of the bindings has its reason', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.flatMap((file) => unreasoned(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('a reason stands in the line above the comment that allows it, or in it', () => {
  const allowed = `// eslint-disable-next-line ${rule}`
  expect(unreasoned('a.ts', `${allowed}\nlet a: any`)).toEqual(['a.ts:2: let a: any'])
  expect(unreasoned('a.ts', `let a: any`)).toHaveLength(1)
  expect(unreasoned('a.ts', `// The user declares it.\n${allowed}\nlet a: any`)).toEqual([])
  expect(unreasoned('a.ts', `${allowed} -- the user declares it\nlet a: any`)).toEqual([])
  expect(unreasoned('a.ts', `/** Takes any value. */\n// any\nconst any = 'any'`)).toEqual([])
})
