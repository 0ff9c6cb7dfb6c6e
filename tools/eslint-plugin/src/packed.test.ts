import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tsc } from '../../repository/typescript.mjs'

// The plugin as it is published, in folders without anything of this project: with ESLint 10, ESLint 9 and oxlint.

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const plugin = join(root, 'tools/eslint-plugin')
const folder = mkdtempSync(join(tmpdir(), 'selfsame-linter-'))
const starters = ['react', 'vue', 'svelte']
const modules = join(folder, 'node_modules')

/** Runs a linter in a folder. @returns the rules that it names, sorted; all of its output if it fails otherwise */
async function lint(tool: string, cwd: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await run('node', [join(root, 'node_modules', tool), ...args], { cwd }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  if (stderr.trim() !== '') return [stderr]
  return [...stdout.matchAll(/(?<!@)selfsame[/(]([a-z-]+)/g)].map(([, name = '']) => name).sort()
}

/** Version 10 for all, and 9 where the parser does most. */
const eslints: Record<string, string[]> = {
  react: ['eslint'],
  vue: ['eslint', 'eslint9'],
  svelte: ['eslint'],
}
const mistakes: Record<string, string> = {
  react: 'todos.reverse()',
  vue: 'todos.value.reverse()',
  svelte: 'todos.current.reverse()',
}

beforeAll(async () => {
  await run(tsc, ['--build', plugin], { cwd: root })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: plugin })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const tarball = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '')
  await run('npm', ['install', tarball, '--offline', '--omit=peer', '--ignore-scripts', '--no-audit'], {
    cwd: folder,
  })
  mkdirSync(join(modules, '@typescript-eslint'), { recursive: true })
  for (const name of ['@typescript-eslint/parser', 'vue-eslint-parser', 'svelte-eslint-parser'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const starter of starters) {
    const create = join(root, 'tools/create-selfsame/create.mjs')
    await run('node', [create, join(folder, starter), '--template', starter, '--lint'])
  }
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('has no dependency, and neither tests nor sources in it', () => {
  const installed = join(modules, '@selfsame/eslint-plugin')
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  expect(files.filter((file) => /test|cases|\.ts$/.test(file) && !file.endsWith('.d.ts'))).toEqual([])
  expect(readFileSync(join(installed, 'package.json'), 'utf8')).not.toContain('"dependencies"')
  expect(readdirSync(join(modules, '@selfsame'))).toEqual(['eslint-plugin'])
})

describe.each(starters)('the starter %s with --lint', (starter) => {
  const cwd = join(folder, starter)
  const markup = { react: 'tsx', vue: 'vue', svelte: 'svelte' }[starter] ?? ''

  // A run takes seconds, so that one with a mistake also shows that there is no other.
  test.each(eslints[starter] ?? [])('has the one mistake that is put into it, by %s', async (eslint) => {
    const file = join(cwd, `src/TodoList.${markup}`)
    const text = readFileSync(file, 'utf8')
    const broken = text.replace(
      /^( *)const todos = .*$/m,
      (line, indent: string) => `${line}\n${indent}${mistakes[starter]}`,
    )
    writeFileSync(file, broken)
    expect(await lint(`${eslint}/bin/eslint.js`, cwd, '.')).toEqual(['no-data-mutation'])
    writeFileSync(file, text)
  })

  test('asks for the versions that are tested here', () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>
    const { devDependencies = {}, scripts = {} } = read(join(cwd, 'package.json'))
    const ours = read(join(plugin, 'package.json'))
    expect(scripts['lint']).toBe('eslint .')
    const asked = Object.entries(devDependencies).filter(([name]) => /eslint/.test(name))
    expect(asked.length).toBeGreaterThan(2)
    for (const [name, range] of asked)
      expect(`${name} ${range.slice(1)}`).toBe(
        `${name} ${ours['devDependencies']?.[name] ?? String(ours['version'])}`,
      )
  })
})

test('oxlint finds mistakes with the same rules, in the scripts of components too, and fixes them', async () => {
  const cwd = join(folder, 'oxlint')
  mkdirSync(cwd)
  const config = {
    extends: ['../node_modules/@selfsame/eslint-plugin/oxlint.json'],
    categories: { correctness: 'off' },
  }
  writeFileSync(join(cwd, '.oxlintrc.json'), JSON.stringify(config))
  const user = "import { Entity } from '@selfsame/core'\nexport class User extends Entity {\n  id = 0\n}\n"
  writeFileSync(join(cwd, 'user.ts'), user)
  writeFileSync(
    join(cwd, 'Todo.vue'),
    `<script setup lang="ts">
import { useSuspense } from '@selfsame/vue'
import { todoResource } from './api'
const props = defineProps<{ id: number }>()
const todo = await useSuspense(todoResource.get, { id: props.id })
</script>
<template>{{ todo.title }}</template>
`,
  )
  const oxlint = 'oxlint/bin/oxlint'
  expect(await lint(oxlint, cwd)).toEqual(['entity-key', 'reactive-args'])
  expect(await lint(oxlint, cwd, '--fix')).toEqual([])
  expect(readFileSync(join(cwd, 'user.ts'), 'utf8')).toBe(
    user.replace('id = 0\n', "id = 0\n  static override key = 'User'\n"),
  )
  expect(readFileSync(join(cwd, 'Todo.vue'), 'utf8')).toContain('() => ({ id: props.id })')
})
