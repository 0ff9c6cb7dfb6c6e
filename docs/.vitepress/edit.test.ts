import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { compileScript } from './live/edit/compile.js'
import { compileSvelte } from './live/edit/compile-svelte.js'
import { compileVue } from './live/edit/compile-vue.js'
import { createGuard, guardLoops, guardName } from './live/edit/guard.js'
import { root } from './pages.js'

// What the editor of live samples does without a browser. `site.test.ts` has the rest, in Chromium.

const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

describe('the guard of edited code', () => {
  /** Runs guarded code, and counts how often it asked. */
  function run(code: string): { result: unknown; asked: number } {
    let asked = 0
    // eslint-disable-next-line no-new-func
    const result: unknown = new Function(guardName, guardLoops(code))(() => asked++)
    return { result, asked }
  }

  test.each([
    ['for (let i = 0; i < 3; i++) for (const a of [1, 2]) sum += a', 9, 3 + 6],
    ['let i = 0; do sum += 2; while (++i < 3)', 6, 3],
    ['let i = 0; while (i++ < 3) { sum += 1 } ', 3, 3],
    ['if (sum === 0) for (const a in { x: 1 }) sum = 7; else sum = 8', 7, 1],
    ['const add = (a) => (b) => a + b; sum = add(1)(2)', 3, 2],
    ['const make = () => ({ a: 4 }); sum = make().a', 4, 1],
    ['class A { get one() { return 1 } two() { return 2 } }; sum = new A().one + new A().two()', 3, 2],
    ['function f() { return function () { return 5 } }; sum = f()()', 5, 2],
  ])('changes nothing of: %s', (code, result, asked) => {
    expect(run(`let sum = 0; ${code}\nreturn sum`)).toEqual({ result, asked })
  })

  test('keeps the lines', () => {
    const code = 'while (a)\n  while (b)\n    c()\nconst f = () =>\n  1\n'
    expect(guardLoops(code).split('\n')).toHaveLength(code.split('\n').length)
  })

  test('stops what runs on without a pause, and nothing that pauses', () => {
    vi.useFakeTimers()
    try {
      const guard = createGuard()
      guard()
      vi.advanceTimersByTime(60_000)
      expect(guard).not.toThrow()
      const now = performance.now()
      const spy = vi.spyOn(performance, 'now').mockReturnValue(now + 60_000)
      expect(guard).toThrow(/Stopped: this ran for 2 seconds/)
      spy.mockRestore()
    } finally {
      vi.useRealTimers()
    }
  })
})

test.each([
  'TodoPair',
  'guides/EditTodo',
  'guides/MoreTodos',
  'guides/NumberedTodos',
  'handling/TodoPage',
  'handling/TodoTitle',
  'optimistic/TodoList',
  'play/TwoViews',
  'play/AddAndRemove',
])('the page has what Svelte and Vue compile %s to', (sample) => {
  const listed = (file: string) =>
    new Set(read(`docs/.vitepress/live/edit/modules/${file}.ts`).match(/(?<=^ {2})\w+(?=,$)/gm))
  const svelte = compileSvelte('Sample.svelte', read(`docs/examples/${sample}.svelte`))
  const ofSvelte = [...svelte.code.matchAll(/\$\.(\w+)/g)].map(([, name = '']) => name)
  expect(ofSvelte.length).toBeGreaterThan(3)
  expect(ofSvelte.filter((name) => !listed('svelte-client').has(name))).toEqual([])
  const { code } = compileVue('Sample.vue', read(`docs/examples/${sample}.vue`))
  const ofVue = [...code.matchAll(/\b_vue\.(\w+)/g)].map(([, name = '']) => name)
  expect(ofVue.length).toBeGreaterThan(2)
  expect(ofVue.filter((name) => !listed('vue').has(name))).toEqual([])
})

describe('an error of a compiler', () => {
  test.each([
    ['of a template', '<script setup>\nconst a = 1\n</script>\n\n<template>\n  <p>{{ a }}\n</template>\n', 6],
    [
      'of an expression',
      '<script setup>\nconst a = 1\n</script>\n\n<template>\n  <p>{{ a + }}</p>\n</template>\n',
      6,
    ],
    [
      'of a script',
      '<template><p /></template>\n\n<script setup>\nconst a = 1\nconst b = = 2\n</script>\n',
      5,
    ],
    ['of a style', '<script setup>\nconst a = 1\n</script>\n<style>\np { color: red }\n</style>\n', 4],
  ])('of Vue has the line in the file: %s', (_, text, line) => {
    expect(() => compileVue('Sample.vue', text)).toThrow(
      expect.objectContaining({ file: 'Sample.vue', line }),
    )
  })

  test('of TypeScript has its line', () => {
    expect(() => compileScript('api.ts', 'const a = 1\n\nexport const b: = 2\n')).toThrow(
      expect.objectContaining({ file: 'api.ts', line: 3 }),
    )
  })
})
