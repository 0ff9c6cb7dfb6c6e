import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ofTurn } from '@selfsame/conformance/turn'
import { afterEach, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const started: ChildProcess[] = []

afterEach(() => {
  for (const { pid } of started.splice(0)) if (isAlive(pid)) process.kill(-pid!, 'SIGKILL')
})

// npm passes on SIGTERM; the other signals end only npm.
test.each(ofTurn(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const))(
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

test('npm run dev starts the demo and a compiler that follows the sources, and leaves neither when npm ends', async () => {
  const dev = startDemo('dev', 'Starting the pages', 'Starting compilation in watch mode')
  await Promise.all([dev.begun, dev.ready])
  process.kill(dev.pid, 'SIGTERM')
  await noProcessIsLeft(dev.pid)
})

test('npm run dev ends when its compiler does', async () => {
  const dev = startDemo('dev', 'Starting the pages', 'Starting compilation in watch mode')
  await Promise.all([dev.begun, dev.ready])
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' })
  const compilers = processes
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, group, ...args]) => Number(group) === dev.pid && args.includes('--watch'))
  expect(compilers.length).toBe(1)
  process.kill(Number(compilers[0]![0]), 'SIGKILL')
  await noProcessIsLeft(dev.pid)
})

async function noProcessIsLeft(group: number): Promise<void> {
  await expect.poll(() => isAlive(group), { timeout: 60_000 }).toBe(false)
}

/** Starts the command in a process group of its own, like a shell. `atBegin` and `atEnd` are what it prints then. */
function startDemo(command = 'demo', atBegin = 'Starting', atEnd = 'The demo is ready') {
  const child = spawn('npm', ['run', command], {
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
  const begun = said(atBegin)
  const ready = said(atEnd)
  for (const promise of [begun, ready]) promise.catch(() => {})
  return { pid: child.pid!, begun, ready }
}

/** True if any process of a group exists. */
function isAlive(group: number | undefined): boolean {
  try {
    process.kill(-group!, 0)
    return true
  } catch {
    return false
  }
}
