#!/usr/bin/env node
// Copies a starter: npm create selfsame@latest my-app -- --template vue
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

const templates = ['react', 'vue', 'svelte']
const usage = `Usage: npm create selfsame@latest <folder> -- --template ${templates.join('|')} [--lint]`

/** Ends with a message. @param {string} message @returns {never} */
function fail(message) {
  console.error(`${message}\n${usage}`)
  process.exit(1)
}

/** Asks for a missing argument, if there is a terminal. @param {string} question @param {string} preset */
async function ask(question, preset) {
  if (!process.stdin.isTTY) return preset
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} (${preset}) `)
  terminal.close()
  return answer.trim() || preset
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** By name, as npm writes it. @param {Readonly<Record<string, string>>} record */
const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

function readArgs() {
  try {
    const options = /** @type {const} */ ({
      template: { type: 'string', short: 't' },
      lint: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    })
    return parseArgs({ allowPositionals: true, allowNegative: true, options })
  } catch (error) {
    return fail(error.message)
  }
}

const { positionals, values } = readArgs()
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const folder = resolve(positionals[0] ?? (await ask('Folder', 'selfsame-app')))
const template = values.template ?? (await ask(`Template: ${templates.join(', ')}`, 'react'))
if (!templates.includes(template)) fail(`There is no template "${template}".`)
const hasLinter = values.lint ?? (await ask('Linter: yes, no', 'no')).startsWith('y')
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty.`)

const partOf = (/** @type {string} */ part) => join(import.meta.dirname, part)
for (const part of ['shared', template]) cpSync(partOf(part), folder, { recursive: true })
// npm does not publish files named .gitignore.
renameSync(join(folder, '_gitignore'), join(folder, '.gitignore'))
const manifest = readJson(join(folder, 'package.json'))
manifest.name = basename(folder)
  .toLowerCase()
  .replace(/[^a-z0-9._-]+/g, '-')
if (hasLinter) {
  const { scripts, devDependencies } = readJson(partOf(`lint/${template}/package.json`))
  Object.assign(manifest.scripts, scripts)
  manifest.devDependencies = sorted({ ...manifest.devDependencies, ...devDependencies })
  cpSync(partOf(`lint/${template}/eslint.config.js`), join(folder, 'eslint.config.js'))
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

console.log(`Created ${folder} from the template "${template}". Next:

  cd ${positionals[0] ?? manifest.name}
  npm install
  npm run dev`)
