import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test.each(['react', 'vue', 'svelte'])(
  'the README of the %s binding has a row for each hook',
  (binding) => {
    const readme = read(`bindings/${binding}/README.md`)
    const hooks = [
      ...read(`bindings/${binding}/src/index.ts`).matchAll(
        /^export \{ (?:default as )?(use\w+) \}/gm,
      ),
    ].map(([, name = '']) => name)
    expect(hooks).toContain('useSuspense')
    expect(hooks.filter((name) => !readme.includes(`\n| \`${name}(`))).toEqual(
      [],
    )
  },
)
