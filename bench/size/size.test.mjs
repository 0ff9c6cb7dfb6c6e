import { beforeAll, describe, expect, test } from 'vitest'
import { lengthsBySource } from './attribution.mjs'
import { splitBundle } from './bundle.mjs'
import { findExcess, measurePieces, readBudgets } from './budgets.mjs'
import { measureParts } from './measure.mjs'
import { frameworks, typical } from './pieces.mjs'
import { compareRows, findWrongRows, rowsOf } from './tables.mjs'

let sizes
beforeAll(async () => {
  sizes = await measurePieces()
}, 240_000)

test('the largest of three bundlers counts', () => {
  for (const { brotli, byBundler } of sizes.values()) {
    expect(Object.keys(byBundler)).toEqual(['vite', 'esbuild', 'rspack'])
    expect(brotli).toBe(Math.max(...Object.values(byBundler)))
  }
})

test('every entry and every minimal import is within its budget', async () => {
  expect(findExcess(sizes, await readBudgets()).join('\n\n')).toBe('')
})

// Code that only its own import, or the code that uses it, brings into a bundle.
const apart =
  /^core\/src\/(?:graphql|hydration|live|media|optimistic|policies|testing|store\/(?:hydration|optimistic))\//

test.each(['react', 'vue', 'svelte'])('the typical application in %s has only what it uses', (binding) => {
  const { sources } = sizes.get(`${binding}: the typical application`)
  expect([...sources.keys()].filter((source) => apart.test(source))).toEqual([])
})

test('a Controller without lists has no Collection, and none of the schemas that it does not use', () => {
  const { sources } = sizes.get('core: Controller, Entity')
  const unused =
    /^core\/src\/(?:rest|lists|schema\/(?:all|array|collection|delete|lazy|polymorphic|query|union|values)\.)/
  expect([...sources.keys()].filter((source) => apart.test(source) || unused.test(source))).toEqual([])
})

test('what a route brings is loaded with the route', { timeout: 180_000 }, async () => {
  const { first, later } = await splitBundle({
    code: typical('react'),
    route: `
      export { optimistic } from '@selfsame/core/optimistic'
      export { connect } from '@selfsame/core/live'
      export { dehydrate, hydrate } from '@selfsame/core/hydration'`,
    external: frameworks,
  })
  expect(first.filter((source) => apart.test(source))).toEqual([])
  expect(later).toEqual(
    expect.arrayContaining([
      'core/src/store/optimistic/layers.ts',
      'core/src/live/connect.ts',
      'core/src/store/hydration/hydration.ts',
    ]),
  )
  expect(later.filter((source) => first.includes(source))).toEqual([])
})

test('the page on bundle size says what is measured', { timeout: 120_000 }, async () => {
  const wrong = await findWrongRows(await measureParts(sizes))
  expect(wrong.join('\n')).toBe('')
})

test('a row of that page is found wrong, missing and left over', () => {
  const rows = rowsOf(
    '| part | kB | \n| --- | ---: |\n| a | 3.0 | 1.0 |\n| `b` of c | 2.5 |\n| gone | 1.0 |\n',
  )
  expect([...rows]).toEqual([
    ['a', 1],
    ['`b` of c', 2.5],
    ['gone', 1],
  ])
  expect(
    compareRows(
      rows,
      new Map([
        ['a', 1.1],
        ['`b` of c', 2.7],
        ['new', 1],
      ]),
    ),
  ).toEqual([
    '"`b` of c" is 2.7 kB, and the page says 2.5.',
    '"new" has no row.',
    '"gone" is measured no more.',
  ])
})

describe('findExcess', () => {
  const size = {
    minified: 300,
    brotli: 130,
    byBundler: { vite: 120, esbuild: 130, rspack: 125 },
    sources: new Map([
      ['a.ts', 200],
      ['b.ts', 100],
    ]),
  }

  test('says nothing of a piece within its budget', () => {
    expect(findExcess(new Map([['piece', size]]), { brotli: { piece: 130 }, sources: {} })).toEqual([])
  })

  test('names the sources that have grown', () => {
    const budgets = { brotli: { piece: 100 }, sources: { 'a.ts': 120, 'b.ts': 100 } }
    expect(findExcess(new Map([['piece', size]]), budgets)).toEqual([
      `"piece" is 130 bytes, compressed with brotli: 30 over its budget of 100.
  By bundler: vite 120, esbuild 130, rspack 125.
  Grown, in minified bytes: a.ts by 80.
  If it has to be so, record new budgets with \`node bench/size/run.mjs --record\`, and say why in the commit.`,
    ])
  })

  test('asks for a budget for each piece, and for a piece for each budget', () => {
    const excess = findExcess(new Map([['new', size]]), { brotli: { old: 1 }, sources: {} })
    expect(excess.map((text) => text.split('\n')[0])).toEqual([
      '"new" has no budget.',
      '"old" has a budget, and is measured no more.',
    ])
  })
})

describe('lengthsBySource', () => {
  test('counts each character for the source that it came from, also on lines without mappings', () => {
    // Columns 0 to 3 belong to the first source, the rest of the line to the second; the next line has no mapping.
    const map = { mappings: 'AAAA,ICAA;', sources: ['a.ts', 'b.ts'] }
    expect([...lengthsBySource('aaaabb\nbbb', map)]).toEqual([
      ['b.ts', 5],
      ['a.ts', 4],
    ])
  })

  test('counts what is mapped to nothing for the bundler', () => {
    expect([...lengthsBySource('xxaaa', { mappings: 'EAAA', sources: ['a.ts'] })]).toEqual([
      ['a.ts', 3],
      ['(bundler)', 2],
    ])
  })
})
