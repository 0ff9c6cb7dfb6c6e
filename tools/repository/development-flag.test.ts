import { expect, test } from 'vitest'
import { withFlag } from './development-flag.mjs'

const core = `import { development } from '#development';
import { warn } from './warn.js';
export const check = /* @__PURE__ */ define(development && explain);
export function read(development) { return { development }; }
// A comment.
if (development)
    warn();
`

test('the flag is a literal, its import and what is dead are gone, and a parameter of that name stays', async () => {
  expect(await withFlag(core, false)).toBe(`import { warn } from "./warn.js";
export const check = /* @__PURE__ */ define(false);
export function read(development2) {
  return { development: development2 };
}
if (false)
  warn();
`)
  expect(await withFlag(core, true)).toContain('define(explain)')
  expect(await withFlag(core, true)).toContain('if (true)\n  warn();')
})

test('other imports of the entry for bindings stay', async () => {
  const binding = `import { Observer, development, errors } from '@selfsame/core/bindings';\nexport const a = [Observer, development, errors];\n`
  expect(await withFlag(binding, true)).toBe(
    `import { Observer, errors } from "@selfsame/core/bindings";\nexport const a = [Observer, true, errors];\n`,
  )
})

test('where the flag is declared it has the value of the tree', async () => {
  expect(await withFlag('export const development = true;\n', false)).toBe(
    'export const development = false;\n',
  )
})

test.each([
  `import { development as isDevelopment } from '#development';`,
  `import { development } from '../util/development.js';`,
])('%s is refused', async (line) => {
  await expect(withFlag(`${line}\n`, true)).rejects.toThrow(
    'The flag is imported in a way that the build does not know',
  )
})
