import { readFileSync } from 'node:fs'
import { Linter } from 'eslint'
import { describe, expect, test } from 'vitest'
import plugin from './index.js'
import catchMutation from './rules/catch-mutation.cases.js'
import collectionNestKey from './rules/collection-nest-key.cases.js'
import entityKey from './rules/entity-key.cases.js'
import fieldSchema from './rules/field-schema.cases.js'
import hookInSetup from './rules/hook-in-setup.cases.js'
import noDataMutation from './rules/no-data-mutation.cases.js'
import noDestructuredHandle from './rules/no-destructured-handle.cases.js'
import noEndpointInRender from './rules/no-endpoint-in-render.cases.js'
import reactiveArgs from './rules/reactive-args.cases.js'
import suspenseBoundary from './rules/suspense-boundary.cases.js'
import { parsers, testRule } from './testing.js'

// In one file, because two versions of ESLint and three parsers take seconds to load.

const cases = {
  'catch-mutation': catchMutation,
  'collection-nest-key': collectionNestKey,
  'entity-key': entityKey,
  'field-schema': fieldSchema,
  'hook-in-setup': hookInSetup,
  'no-data-mutation': noDataMutation,
  'no-destructured-handle': noDestructuredHandle,
  'no-endpoint-in-render': noEndpointInRender,
  'reactive-args': reactiveArgs,
  'suspense-boundary': suspenseBoundary,
}

test('each rule has cases, and is recommended, by ESLint and by oxlint', () => {
  const names = Object.keys(plugin.rules).map((name) => `selfsame/${name}`)
  expect(Object.keys(cases)).toEqual(Object.keys(plugin.rules))
  const ofOxlint = JSON.parse(
    readFileSync(new URL('../oxlint.json', import.meta.url), 'utf8'),
  ) as Linter.Config
  expect(Object.keys(plugin.configs.recommended.rules ?? {})).toEqual(names)
  expect(ofOxlint.rules).toEqual(plugin.configs.recommended.rules)
})

for (const [name, rule] of Object.entries(plugin.rules))
  testRule(name, rule, cases[name as keyof typeof cases])

const page = readFileSync(new URL('../../../docs/linter.md', import.meta.url), 'utf8')
const sections = new Map(page.split(/^### /m).map((section) => [section.split('\n', 1)[0], section]))

test('each rule has a section of the page about the linter, and no other', () => {
  expect([...sections.keys()].slice(1)).toEqual(Object.keys(plugin.rules))
})

describe.each(Object.entries(plugin.rules))('the section of %s', (name, { meta }) => {
  const section = sections.get(name) ?? ''

  test('says what the rule says of itself', () => {
    expect(section.replaceAll('\n', ' ')).toContain(meta?.docs?.description)
    expect(meta?.docs?.url).toMatch(new RegExp(`/docs/linter\\.md#${name}$`))
    expect(section.includes('`--fix`')).toBe(meta?.fixable === 'code')
  })

  test('shows what the rule reports, and then what no rule reports', () => {
    const samples = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, kind = '', code = '']) => {
      const config = [plugin.configs.recommended, ...parsers]
      return new Linter()
        .verify(code, config, { filename: `sample.${kind}` })
        .map(({ ruleId, message }) => ruleId ?? message)
    })
    expect(samples.length).toBe(2)
    expect([...new Set(samples[0])]).toEqual([`selfsame/${name}`])
    expect(samples[1]).toEqual([])
  })
})
