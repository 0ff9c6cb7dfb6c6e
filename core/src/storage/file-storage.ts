import { development } from '#development'
import { warn } from '../errors.js'
import type { RowStorage, Storable } from './row-storage.js'
import { toRow, toText } from './text-storage.js'

/** The parts of `node:fs` that it uses: looked up when it runs, so that a bundler for browsers finds no import of Node. */
interface Files {
  readFileSync(path: string, encoding: 'utf8'): string
  writeFileSync(path: string, text: string): void
  renameSync(from: string, to: string): void
  openSync(path: string, flags: string): number
  writeSync(file: number, text: string): number
  fsyncSync(file: number): void
  closeSync(file: number): void
}

/** Lines beyond the count of rows, after which the file is written anew. */
const spareLines = 1000

/**
 * Keeps rows in a file: for Node, and one process at a time. Each write appends a line; a line that a crash left half
 * written is dropped.
 *
 * @param path - of the file, in a folder that is there
 */
export function fileStorage(path: string): RowStorage {
  let files: Files | undefined
  let file: number | undefined
  let lines = 0
  const rows = new Map<string, Storable>()

  function open(): number {
    if (file !== undefined) return file
    files ??= (
      globalThis as unknown as { process?: { getBuiltinModule?(name: string): unknown } }
    ).process?.getBuiltinModule?.('node:fs') as Files | undefined
    if (files === undefined) throw new Error('fileStorage() needs Node 20.16 or later.')
    rows.clear()
    const text = readText(files)
    let isWhole = true
    lines = 0
    for (const line of text.split('\n')) {
      if (line === '') continue
      lines++
      try {
        for (const [key, row] of toRow(line) as [string, Storable?][]) setRow(key, row)
      } catch {
        isWhole = false
        if (development) warn(`Line ${lines} of ${path} cannot be read. It is left out.`)
      }
    }
    if (!isWhole || lines > rows.size + spareLines) {
      // A rename replaces the file at once: a crash leaves the old one or the new one.
      files.writeFileSync(`${path}.new`, [...rows].map((row) => `${toText([row])}\n`).join(''))
      files.renameSync(`${path}.new`, path)
    }
    file = files.openSync(path, 'a')
    return file
  }

  function readText({ readFileSync }: Files): string {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return ''
      throw error
    }
  }

  function setRow(key: string, row: Storable | undefined): void {
    if (row === undefined) rows.delete(key)
    else rows.set(key, row)
  }

  return {
    async list(prefix, after = '', limit = Infinity) {
      open()
      const keys = [...rows.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
      return keys.slice(0, limit).map((key) => [key, rows.get(key) as Storable])
    },
    async read(keys) {
      open()
      return keys.map((key) => rows.get(key))
    },
    async write(changes, isStrict = false) {
      const opened = open()
      const line = toText(changes.map(([key, row]) => (row === undefined ? [key] : [key, row])))
      files?.writeSync(opened, `${line}\n`)
      if (isStrict) files?.fsyncSync(opened)
      lines++
      for (const [key, row] of changes) setRow(key, row)
    },
    close() {
      if (file !== undefined) files?.closeSync(file)
      file = undefined
    },
  }
}
