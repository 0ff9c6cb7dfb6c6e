import { execFileSync } from 'node:child_process'

/**
 * Ends this process together with its parent: on each terminating signal, and when npm ends, which forwards few of
 * the signals that end it. The records are in memory, so there is nothing to clean up.
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

/** The process id of npm, the parent of the shell that runs the script. The shell outlives npm, so npm is watched too. */
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
    // `ps` is missing on Windows and in minimal containers.
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
