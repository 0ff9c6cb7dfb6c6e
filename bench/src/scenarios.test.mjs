import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { garbageParts, storeScenarios } from './catalogue.mjs'
import { coldParts, measureCold } from './cold.mjs'
import { Dataset } from './data.mjs'
import { measureGarbage } from './garbage.mjs'
import { libraries } from './libraries.mjs'
import { once } from './measure.mjs'
import { runScenario } from './scenarios.mjs'

/** The libraries that need no installation. */
const ours = libraries.filter(({ id }) => id === 'selfsame' || id === 'floor')

describe.each(ours)('$name', ({ load }) => {
  const data = new Dataset(100)

  test.each(storeScenarios)(
    'does what scenario $id asks for, and gives each of its figures',
    async (scenario) => {
      const { adapter } = await load()
      const result = await runScenario(adapter, scenario.id, data, once)
      const figures = scenario.metrics.filter(({ id }) => id !== 'seen' || adapter.createSeen !== undefined)
      expect(Object.keys(result).sort()).toEqual(figures.map(({ id }) => id).sort())
    },
  )

  test('does each step of a fresh process once, and gives each of its figures but that of loading (K)', async () => {
    const { adapter } = await load()
    const figures = []
    for (const part of coldParts) figures.push(...Object.keys(await measureCold(adapter, data, part)))
    expect(figures.sort()).toEqual(['hand', 'mount', 'push', 'write'])
  })

  test('keeps every identity when the same answer comes again, and tells nobody (B)', async () => {
    const { adapter } = await load()
    expect(await runScenario(adapter, 'B', data, once)).toMatchObject({ kept: 1, list: 1, calls: 0 })
  })

  test('renews the one member that changed (E), or those that show the user that changed (E2)', async () => {
    const { adapter } = await load()
    expect(await runScenario(adapter, 'E', data, once)).toMatchObject({ renewed: 1 })
    expect(await runScenario(adapter, 'E2', data, once)).toMatchObject({ renewed: 1 })
  })

  test('tells the one reader that shows the change (F)', async () => {
    const { adapter } = await load()
    expect(await runScenario(adapter, 'F', data, once)).toMatchObject({ calls: 1 })
  })

  test('does not derive anew after a write that does not concern it (G)', async () => {
    const { adapter } = await load()
    expect(await runScenario(adapter, 'G', data, once)).toMatchObject({ runs: 0 })
  })
})

test.each(Object.keys(garbageParts))('collects %s pages without readers (L)', async (part) => {
  const figures = await measureGarbage(2000, part, 60)
  expect(Object.keys(figures)).toEqual([`longest-${part}`, `own-${part}`, `median-${part}`])
})

test('Selfsame is used by its public calls alone', async () => {
  const adapter = await readFile(new URL('./adapters/selfsame.mjs', import.meta.url), 'utf8')
  const garbage = await readFile(new URL('./garbage.mjs', import.meta.url), 'utf8')
  // Internal in the sources: their names may change at any time.
  expect(adapter + garbage).not.toMatch(/\b(store|row|transact|nextSequence|Observer)\b[.(]/)
})

describe('data', () => {
  test('an issue has twelve fields, and no two records have one id', () => {
    const issues = JSON.parse(new Dataset(200).listText)
    expect(Object.keys(issues[0])).toHaveLength(12)
    const kinds = new Map()
    for (const { id, user, labels } of issues) {
      for (const [kind, record] of [
        ['issue', id],
        ['user', user.id],
        ...labels.map((label) => ['label', label.id]),
      ]) {
        expect(kinds.get(record) ?? kind).toBe(kind)
        kinds.set(record, kind)
      }
    }
  })

  test('records carry their type where GraphQL asks for it', () => {
    const [issue] = JSON.parse(new Dataset(1, { hasTypenames: true }).listText)
    for (const [record, typename] of [
      [issue, 'Issue'],
      [issue.user, 'User'],
      [issue.labels[0], 'Label'],
    ]) {
      expect(record).toHaveProperty('__typename', typename)
    }
  })
})
