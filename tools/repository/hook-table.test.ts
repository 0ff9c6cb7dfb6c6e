import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hookTable, readHooks, writtenTable } from './hook-table.mjs'
import type { Hook } from './hook-table.mjs'

const hooks = readHooks()

/** A hook that is not in each binding, with the reason. */
const alone = new Map([['useSelect', '`computed` of Vue and `$derived` of Svelte do the same']])

test('the table of hooks in docs/hooks.md is that of the types', async () => {
  // To write it: node tools/repository/hook-table.mjs
  expect(writtenTable()).toBe(await hookTable(hooks))
})

test('the table of options in docs/hooks.md has those of the type, and what Svelte adds', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const [, type = ''] =
    /interface ReaderOptions \{([\s\S]*?)\n\}/.exec(read('core/src/observer/reader-options.ts')) ?? []
  const names = [...type.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name)
  const [, table = ''] = /\| option [\s\S]*?\n((?:\|.*\n)+)/.exec(read('docs/hooks.md')) ?? []
  expect(names.length).toBeGreaterThan(3)
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual([...names, 'controller'])
})

/** What its cells name of the frameworks and of the language. */
const ofFrameworks = new Set(['setup', 'onErrorCaptured', 'inject', 'getContext', 'undefined', 'null'])

test('the table of hooks in docs/specification.md says what the types say', () => {
  const page = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')
  const [, table = ''] = /#### Bindings\n\n((?:\|.*\n)+)/.exec(page) ?? []
  const rows = [...table.matchAll(/^\| `(use\w+)` *\|(.*)\|(.*)\|(.*)\|$/gm)]
  expect(rows.length).toBeGreaterThan(15)
  const wrong = rows.flatMap(([, name = '', ...cells]) =>
    cells.flatMap((cell, index) => {
      const gives = hooks[(['react', 'vue', 'svelte'] as const)[index]!].get(name)?.gives ?? []
      const whole = [...cell.matchAll(/`\{ ([\w, ]+) \}`/g)].map(([, names = '']) => names.split(', '))
      // What is named in a sentence: `.current`, `fetchNext`, `isLast`.
      const named = [...cell.matchAll(/`\.?([a-z]\w+)`/g)].flatMap(([, member = '']) => member)
      const isPair = cell.includes('`[')
      const isOther = whole.some((names) => String(names.toSorted()) !== String(gives))
      const unknown = named.filter(
        (member) => !ofFrameworks.has(member) && !member.startsWith('use') && !gives.includes(member),
      )
      return isPair || isOther || unknown.length > 0
        ? [`${name}, column ${index + 1}: ${cell.trim()}; the types have ${String(gives)}`]
        : []
    }),
  )
  expect(wrong).toEqual([])
})

test('each hook is in all bindings, takes the same, and gives the same', () => {
  const { react, vue, svelte } = hooks
  const shared = [...react.keys()].filter((name) => !alone.has(name))
  expect([...vue.keys()]).toEqual(shared)
  expect([...svelte.keys()]).toEqual(shared)
  const argsOf = (hook?: Hook) =>
    hook?.args.map((name) => (name === 'given' ? 'endpoint' : name)).filter((name) => name !== 'options?')
  const odd = shared.flatMap((name) => {
    const [own, inVue, inSvelte] = [react.get(name), vue.get(name), svelte.get(name)]
    const isSame = (gives: readonly string[] = [], value: string) =>
      gives.includes(value) || own?.gives.every((member) => gives.includes(member))
    const differs = [
      ...(String(argsOf(inVue)) === String(argsOf(own)) ? [] : ['arguments in Vue']),
      ...(String(argsOf(inSvelte)) === String(argsOf(own)) ? [] : ['arguments in Svelte']),
      ...(isSame(inVue?.gives, 'value') ? [] : ['result in Vue']),
      ...(isSame(inSvelte?.gives, 'current') ? [] : ['result in Svelte']),
    ]
    return differs.length === 0 ? [] : [[name, ...differs]]
  })
  expect(odd).toEqual([])
})
