import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const started: ChildProcess[] = []

afterEach(() => {
  for (const { pid } of started.splice(0)) if (isAlive(pid)) process.kill(-pid!, 'SIGKILL')
})

// SIGTERM is passed on by npm; the others end npm alone.
test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'npm run demo leaves no process when %s ends npm',
  async (signal) => {
    const demo = startDemo()
    await demo.begun
    process.kill(demo.pid, signal)
    await noProcessIsLeft(demo.pid)
  },
)

test('npm run demo leaves no process when Ctrl-C in a terminal tells all of them', async () => {
  const demo = startDemo()
  await demo.ready
  process.kill(-demo.pid, 'SIGINT')
  await noProcessIsLeft(demo.pid)
})

async function noProcessIsLeft(group: number): Promise<void> {
  await expect.poll(() => isAlive(group), { timeout: 30_000 }).toBe(false)
}

/** Starts the command as a shell does: in a group of its own. */
function startDemo() {
  const child = spawn('npm', ['run', 'demo'], {
    cwd: root,
    detached: true,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (data: Buffer) => data.toString().includes(text) && resolve())
      child.once('exit', () => reject(new Error(`It ended before it said “${text}”.`)))
    })
  const begun = said('Starting')
  const ready = said('The demo is ready')
  for (const promise of [begun, ready]) promise.catch(() => {})
  return { pid: child.pid!, begun, ready }
}

/** Whether any process of a group is there. */
function isAlive(group: number | undefined): boolean {
  try {
    process.kill(-group!, 0)
    return true
  } catch {
    return false
  }
}
