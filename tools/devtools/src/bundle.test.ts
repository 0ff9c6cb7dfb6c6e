import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'

// What the bundle of an application ships of the panel before it is opened.

const application = `
  import { Controller, Entity } from '@selfsame/core'
  import { createResource } from '@selfsame/core/rest'
  class Article extends Entity { id = 0; static key = 'Article' }
  const controller = new Controller()
  const articles = createResource({ path: '/article/:id', schema: Article })
  controller.fetch(articles.getList).then((list) => (document.title = String(list.length)))
`
const withPanel = `${application}
  document.body.onclick = () => import('@selfsame/devtools').then(({ devtools }) => devtools(controller))
`

/** The size of each module in the chunk of the page, in characters. */
async function modulesOfPage(code: string): Promise<Map<string, number>> {
  // Below this folder the packages are found.
  const root = mkdtempSync(join(import.meta.dirname, '.bundle-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const input = join(root, 'page.js')
  writeFileSync(input, code)
  const made = await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['selfsame-source'] },
    build: { write: false, rolldownOptions: { input } },
  })
  const [page] = [made].flat().flatMap((each) => ('output' in each ? each.output : []))
  if (page?.type !== 'chunk' || !page.isEntry) throw new Error('The page is not the first chunk.')
  return new Map(
    Object.entries(page.modules).map(([name, { renderedLength }]) => [
      name.slice(name.lastIndexOf('/') + 1),
      renderedLength,
    ]),
  )
}

test('a page that imports the panel behind a click ships what it did, and the import', async () => {
  const before = await modulesOfPage(application)
  const after = await modulesOfPage(withPanel)
  const added = [...after.keys()].filter((name) => !before.has(name))
  // Vite's own loader, which the first import() of any application brings.
  expect(added).toEqual(['preload-helper.js'])
  expect([...before.keys()].filter((name) => !after.has(name))).toEqual([])
  // Functions that only the panel calls stay in the modules that both need.
  let grown = 0
  for (const [name, length] of before) if (name !== 'page.js') grown += (after.get(name) ?? 0) - length
  expect(grown).toBeGreaterThanOrEqual(0)
  expect(grown).toBeLessThan(400)
})
