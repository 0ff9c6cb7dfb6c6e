import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keptBundle } from '../server/kept-bundle.js'

/** An application of one file, whose bundle is a copy of it. */
function createApplication() {
  const sources = mkdtempSync(join(tmpdir(), 'application-'))
  const name = `test-${process.pid}-${Math.round(performance.now())}-`
  const folders = new Set<string>()
  let made = 0
  let text = ''
  onTestFinished(() => {
    for (const folder of [sources, ...folders]) rmSync(folder, { recursive: true, force: true })
  })
  return {
    write(content: string, seconds: number) {
      text = content
      writeFileSync(join(sources, 'main.ts'), content)
      utimesSync(join(sources, 'main.ts'), seconds, seconds)
    },
    async bundle() {
      const folder = await keptBundle(name, sources, async (target) => {
        made++
        mkdirSync(target)
        writeFileSync(join(target, 'main.js'), text)
        await Promise.resolve()
      })
      folders.add(folder)
      return readFileSync(join(folder, 'main.js'), 'utf8')
    },
    get made() {
      return made
    },
  }
}

test('a bundle is kept until a source changes', async () => {
  const application = createApplication()
  application.write('one', 1000)
  expect([await application.bundle(), await application.bundle(), application.made]).toEqual([
    'one',
    'one',
    1,
  ])
  application.write('two', 2000)
  expect([await application.bundle(), application.made]).toEqual(['two', 2])
})

test('two that make the same bundle at once both get it whole', async () => {
  const application = createApplication()
  application.write('one', 1000)
  expect(await Promise.all([application.bundle(), application.bundle()])).toEqual(['one', 'one'])
})
