#!/usr/bin/env node
// Copies a starter: npm create selfsame@latest my-app -- --template vue
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

const templates = ['react', 'vue', 'svelte']
const usage = `Usage: npm create selfsame@latest <folder> -- --template ${templates.join('|')}`

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

function readArgs() {
  try {
    return parseArgs({ allowPositionals: true, options: { template: { type: 'string', short: 't' } } })
  } catch (error) {
    return fail(error.message)
  }
}

const { positionals, values } = readArgs()
const folder = resolve(positionals[0] ?? (await ask('Folder', 'selfsame-app')))
const template = values.template ?? (await ask(`Template: ${templates.join(', ')}`, 'react'))
if (!templates.includes(template)) fail(`There is no template "${template}".`)
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty.`)

for (const part of ['shared', template]) cpSync(join(import.meta.dirname, part), folder, { recursive: true })
// npm does not publish files named .gitignore.
renameSync(join(folder, '_gitignore'), join(folder, '.gitignore'))
const manifest = join(folder, 'package.json')
const name = basename(folder)
  .toLowerCase()
  .replace(/[^a-z0-9._-]+/g, '-')
writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"name": ".*"/, `"name": "${name}"`))

console.log(`Made ${folder} of the template "${template}". Now:

  cd ${positionals[0] ?? name}
  npm install
  npm run dev`)
