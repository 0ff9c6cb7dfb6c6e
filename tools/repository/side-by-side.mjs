import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Runs commands side by side, as many at a time as there are cores, and each of them to its end. What a command writes is shown
 * when it failed, whole and in one block.
 *
 * @param {Readonly<Record<string, readonly [command: string, ...args: string[]]>>} parts - commands by their titles
 * @param {(text: string) => void} write
 * @returns {Promise<boolean>} whether all of them succeeded
 */
export async function runSideBySide(parts, write) {
  const waiting = Object.entries(parts)
  const failed = []
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const [title, command] = part
      const start = performance.now()
      const { succeeded, output } = await run(command)
      if (!succeeded) failed.push(title)
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      write(`${succeeded ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)\n${succeeded ? '' : `${output}\n`}`)
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
  if (failed.length > 0) write(`Failed: ${failed.join(', ')}\n`)
  return failed.length === 0
}

/** @param {readonly string[]} command @returns {Promise<{ succeeded: boolean, output: string }>} */
function run([command, ...args]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ succeeded: false, output: error.message }))
    child.once('close', (code) => resolve({ succeeded: code === 0, output }))
  })
}
