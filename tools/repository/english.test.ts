import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

// Kinds of sentences that a native speaker would not write, in what users read: pages and messages.

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** What not to write, and what to write instead. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(is|are|was|were|be|been) told\b/, 'is notified, learns'],
  [/\b(is|are|was|were|be|been) asked\b|\bask(s|ed) for\b/, 'is requested, was fetched'],
  [/\banew\b/, 'again; re-…'],
  [/\balso (if|when|while|after)\b/i, 'even if'],
  [/\bgives\b/, 'returns, passes, sets'],
  [/\bsays nothing\b|\bbe it\b|, and no more\b/, 'say it plainly'],
  [/\brender(s|ed)? again\b/, 're-renders'],
  [/\bcomput(es|ed) (\w+ ){0,3}again\b/, 'recomputes'],
  [/\b(taken|takes it|takes them) back\b/, 'rolled back'],
  [/\bsomebody\b/i, 'someone'],
  [/\bonce for each\b/, 'once per'],
]

/** Each phrase in a text, with what is around it. */
const mistakesIn = (text: string) =>
  phrases.flatMap(([phrase, better]) =>
    [...text.matchAll(new RegExp(phrase, `g${phrase.flags}`))].map(
      ({ 0: found, index }) =>
        `…${text.slice(Math.max(0, index - 40), index + found.length + 20)}… → ${better}`,
    ),
  )

const filesBelow = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/(^|[/\\])(node_modules|\.vitepress|internals)[/\\]/.test(file))
    .map((file) => `${folder}/${file}`)

/** Without code and addresses. */
const proseOf = (page: string) =>
  read(page)
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .replace(/`[^`]*`|\]\([^)]*\)/g, ' ')
    .replace(/\s+/g, ' ')

/** The texts in a module that have words: messages, not keys. */
function messagesIn(file: string): string {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) texts.push(node.getText())
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))
  return texts.filter((text) => text.includes(' ')).join('\n')
}

test('each kind is found', () => {
  const wrong = 'The row is made anew, also if nothing says so. Readers are told once for each batch.'
  expect(mistakesIn(wrong)).toHaveLength(4)
})

test.each([
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'core/README.md',
  ...['react', 'vue', 'svelte'].map((name) => `bindings/${name}/README.md`),
  ...filesBelow('docs', /\.md$/),
])('%s', (page) => {
  expect(mistakesIn(proseOf(page))).toEqual([])
})

test.each([
  'core/src',
  'bindings/react/src',
  'bindings/vue/src',
  'bindings/svelte/src',
  'tools/devtools/src',
])('the messages of %s', (folder) => {
  const files = filesBelow(folder, /^(?!.*(\.test|\.test-d|testing-)).*\.tsx?$/)
  expect(files.length).toBeGreaterThan(10)
  const mistakes = files.flatMap((file) => mistakesIn(messagesIn(file)).map((each) => `${file}: ${each}`))
  expect(mistakes).toEqual([])
})
