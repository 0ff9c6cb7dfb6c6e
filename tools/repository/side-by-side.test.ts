import { expect, test } from 'vitest'
import { runSideBySide } from './side-by-side.mjs'

// `npm run check` runs its parts by this.

const node = (script: string) => ['node', '-e', script] as const

async function check(parts: Parameters<typeof runSideBySide>[0]) {
  let shown = ''
  const succeeded = await runSideBySide(parts, (text) => {
    shown += text
  })
  return { succeeded, shown: shown.replace(/\d+\.\d s/g, '0.0 s') }
}

test('parts that succeed are named, and what they write is not shown', async () => {
  const { succeeded, shown } = await check({ lint: node("console.log('all is well')") })
  expect(succeeded).toBe(true)
  expect(shown).toBe('ok     lint (0.0 s)\n')
})

test('one part that fails fails all, and is shown with what it wrote on both streams; the others run to their end', async () => {
  const { succeeded, shown } = await check({
    first: node("console.log('to stdout'); console.error('to stderr'); process.exitCode = 3"),
    second: node('setTimeout(() => {}, 50)'),
    third: node(''),
  })
  expect(succeeded).toBe(false)
  expect(shown).toMatch(/^FAILED first \(0\.0 s\)\n(to stdout\nto stderr|to stderr\nto stdout)\n\n/m)
  expect(shown).toContain('ok     second')
  expect(shown).toContain('ok     third')
  expect(shown).toMatch(/\nFailed: first\n$/)
})

test('a part that a signal ends has failed, and so has one that is not there', async () => {
  const { succeeded, shown } = await check({
    killed: node("process.kill(process.pid, 'SIGKILL')"),
    absent: ['no-such-command'],
  })
  expect(succeeded).toBe(false)
  expect(shown).toContain('FAILED killed')
  expect(shown).toContain('ENOENT')
})
