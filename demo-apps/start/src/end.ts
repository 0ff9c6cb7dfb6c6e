import { execFileSync } from 'node:child_process'

/**
 * Ends this process with whatever started it: by each signal that asks for it, and when npm is gone, which tells nobody of
 * most of the signals that end it. The records live in memory, so there is nothing to put in order.
 */
export function endWithParent(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
    process.once(signal, () => process.exit(0))
  }
  const parent = process.ppid
  const watched = [parent, ...npmAbove(parent)]
  setInterval(() => {
    if (process.ppid !== parent || !watched.every(isAlive)) process.exit(0)
  }, 500).unref()
}

/** npm runs a script in a shell, which outlives it. */
function npmAbove(shell: number): number[] {
  if (process.env.npm_lifecycle_event === undefined) return []
  try {
    const [parent = '', command = ''] = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(shell)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/)
    return /(^|\/)(ba|da|z)?sh$/.test(command) ? [Number(parent)] : []
  } catch {
    // There is no ps: on Windows, and in the smallest containers.
    return []
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}
