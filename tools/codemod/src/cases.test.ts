import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { transforms } from './names.js'
import { runCodemod } from './run.js'

// Each folder of `cases` holds the files of an application: `input` before the run, `output` after it. `remarks.txt` holds the
// remarks of the run. RECORD=1 writes `output` and `remarks.txt`: review the diff.

const casesOf = (transform: string) => new URL(`../cases/${transform}/`, import.meta.url)
const isRecording = process.env.RECORD === '1'

function filesIn(folder: URL) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => {
      const path = `${parentPath}/${name}`
      return { path: path.slice(folder.pathname.length).replace(/^\//, ''), text: readFileSync(path, 'utf8') }
    })
    .sort((a, b) => a.path.localeCompare(b.path))
}

describe.each(transforms)('%s', (transform) => {
  test.each(readdirSync(casesOf(transform)))('%s', (name) => {
    const folder = new URL(`${name}/`, casesOf(transform))
    const input = filesIn(new URL('input/', folder))
    const { changes, remarks } = runCodemod(transform, input)
    const output = input.map(({ path, text }) => ({
      path,
      text: changes.find((change) => change.path === path)?.after ?? text,
    }))
    const list = remarks.map(({ path, line, reason }) => `${path}:${line}: ${reason}\n`).join('')
    if (isRecording) {
      for (const { path, text } of output) {
        const file = new URL(`output/${path}`, folder)
        mkdirSync(new URL('.', file), { recursive: true })
        writeFileSync(file, text)
      }
      writeFileSync(new URL('remarks.txt', folder), list)
    }
    expect(output).toEqual(filesIn(new URL('output/', folder)))
    expect(list).toBe(readFileSync(new URL('remarks.txt', folder), 'utf8'))
    // A second run changes nothing.
    expect(runCodemod(transform, output).changes).toEqual([])
  })
})
