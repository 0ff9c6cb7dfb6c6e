import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// What those are told who change the project, or tell of a fault.

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('the issue template asks for a failing scenario, and has one of the suite to change', () => {
  const template = read('.github/ISSUE_TEMPLATE/bug.md')
  expect(template).toMatch(/^---\nname: .+\nabout: .*failing scenario.*\n---\n/)
  expect(template).toContain('## A failing scenario')
  const [, sample] = /\n```ts\n([\s\S]*?)```/.exec(template) ?? []
  expect(sample).toBe(read('conformance/src/scenarios/failing-scenario.ts'))
  expect(read('conformance/src/index.ts')).toContain("'./scenarios/failing-scenario.js'")
})

test('commands that CONTRIBUTING names are there, and so are the files and folders', () => {
  const page = read('CONTRIBUTING.md')
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> }
  const commands = [...page.matchAll(/npm (?:run ([\w:-]+)|(test)\b)/g)].map(
    ([, named, short]) => named ?? short ?? '',
  )
  expect(commands.length).toBeGreaterThan(15)
  expect(commands.filter((command) => scripts[command] === undefined)).toEqual([])
  const files = [
    ...page.matchAll(/`((?:core|conformance|bindings|docs|bench|demo-apps|tools)\/[\w./-]+)`/g),
  ].map(([, file]) => file ?? '')
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
