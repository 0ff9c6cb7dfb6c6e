import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('for production a class is the value of a constant, with its name and what follows it', async () => {
  const code = `export class A {\n  static at = [];\n  b() {\n    return A;\n  }\n}\n[A.at].flat();\nclass B extends A {\n}\n`
  expect(await withFlag(code, false)).toBe(`export const A = class {
  static at = [];
  b() {
    return A;
  }
};
[A.at].flat();
const B = class extends A {
};
`)
  expect(await withFlag(code, true)).toContain('export class A {')
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

type Conditions = string | { readonly [condition: string]: Conditions }

/** The built files that conditions lead to, in order, each with the conditions before it. */
function targetsOf(
  conditions: Conditions,
  path: readonly string[] = [],
): { path: readonly string[]; file: string }[] {
  if (typeof conditions === 'string') return [{ path, file: conditions }]
  return Object.entries(conditions).flatMap(([name, inner]) => targetsOf(inner, [...path, name]))
}

test.each(['core', 'bindings/react', 'bindings/vue', 'bindings/svelte'])(
  'each export and import of %s that is built for production is built for development, and asked for before',
  (folder) => {
    const manifest = readFileSync(join(import.meta.dirname, '../..', folder, 'package.json'), 'utf8')
    const { exports, imports = {} } = JSON.parse(manifest) as Record<
      'exports' | 'imports',
      Record<string, Conditions>
    >
    const built = Object.values({ ...exports, ...imports })
      .map((conditions) => targetsOf(conditions).filter(({ file }) => /^\.\/dist.*\.js$/.test(file)))
      .filter((targets) => targets.length > 0)
    expect(built.length).toBeGreaterThan(0)
    for (const targets of built) {
      const production = targets.filter(({ file }) => file.startsWith('./dist/'))
      for (const { file } of production) {
        const twin = file.replace('./dist/', './dist-development/')
        const at = targets.findIndex((target) => target.file === twin)
        expect(at, `the twin of ${file}`).toBeGreaterThanOrEqual(0)
        expect(at).toBeLessThan(targets.findIndex((target) => target.file === file))
        expect(targets[at]?.path.at(-1)).toBe('development')
      }
    }
  },
)
