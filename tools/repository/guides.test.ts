import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compactGuide, entriesOf, packedGuides } from './guides.mjs'
import { readHooks } from './hook-table.mjs'

// What the packages say to someone who has nothing but them.

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const guides = packedGuides()
const hooks = readHooks()

/** An entry as a name of its own: `@selfsame/core/zod` does not name `@selfsame/core`. */
const isNamed = (text: string, entry: string) => text.includes(`\`${entry}\``) || text.includes(`'${entry}'`)

describe('llms.txt', () => {
  test('names each entry of the core, and those of the panel', () => {
    const text = compactGuide()
    expect(entriesOf('core').filter((entry) => !isNamed(text, entry))).toEqual([])
    expect(text).toContain('| `@selfsame/devtools`, `…/tanstack`, `…/vue`')
    expect(text).toContain("from '@selfsame/devtools/tanstack'")
  })

  test('lists each guide with what is in it', () => {
    const text = compactGuide()
    const listed = [...text.matchAll(/^- `docs\/(.+?)`: .{4,}$/gm)].map(([, file]) => file)
    const own = [...guides.keys()].filter((file) => !/^errors\/(?!README)/.test(file))
    expect(listed.toSorted()).toEqual(own.toSorted())
    expect(text).toMatch(/^- `docs\/offline\.md`: Offline: .*Storage; .*Tabs that agree/m)
  })

  test('has a sample of each entry that applications add', () => {
    const imported = [
      'optimistic',
      'rules',
      'maintained',
      'live',
      'outbox',
      'persist',
      'storage',
      'tabs',
      'changes',
    ]
    const text = compactGuide()
    expect(imported.filter((entry) => !text.includes(`from '@selfsame/core/${entry}'`))).toEqual([])
  })

  test('has no links, which lead nowhere in a package', () => {
    expect(compactGuide().match(/\]\([\w./#-]+\)/g)).toBeNull()
  })
})

describe('the guides in the package of the core', () => {
  test('are all that teach to write code, and are published', () => {
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
    expect(pages.filter((name) => !guides.has(name))).toEqual([
      'README.md',
      'assistants.md',
      'benchmarks.md',
      'bundle-size.md',
      'comparison.md',
      'what-it-is.md',
    ])
    for (const name of readdirSync(join(root, 'docs/errors'))) expect(guides.has(`errors/${name}`)).toBe(true)
    const { files } = JSON.parse(read('core/package.json')) as { files: string[] }
    expect(files).toContain('docs')
  })

  test.each([...guides])('%s has its samples, and nothing that only the site understands', (file, text) => {
    const fences = (page: string) => page.match(/^ *```[\s\S]*?^ *```$/gm) ?? []
    expect(fences(text)).toEqual(fences(read(`docs/${file}`)))
    const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '')
    expect(prose).not.toMatch(/<<<|<!--|!\[|^:::/m)
  })

  test.each([...guides])('%s has links that lead somewhere', (file, text) => {
    const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '')
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link.replace(/#.*/, ''))
    const inRepository = 'https://github.com/selfsame-data/selfsame/blob/main/'
    const broken = links.filter((link) => {
      if (link === '') return false
      if (link.startsWith(inRepository)) return !existsSync(join(root, link.slice(inRepository.length)))
      if (/^https?:/.test(link)) return false
      return !guides.has(posix.join(posix.dirname(file), link))
    })
    expect(broken).toEqual([])
  })
})

describe('the READMEs', () => {
  test('that of the core has each of its entries', () => {
    const table = read('core/README.md')
    const missing = entriesOf('core').filter((entry) => !isNamed(table, entry) && !isShort(table, entry))
    expect(missing).toEqual([])
  })

  test('that of the panel has its entries, and the components of the bindings', () => {
    const text = read('tools/devtools/README.md')
    const entries = ['react', 'vue', 'svelte'].map((binding) => `@selfsame/${binding}/devtools`)
    expect([...entriesOf('tools/devtools'), ...entries].filter((entry) => !isNamed(text, entry))).toEqual([])
  })

  test.each(['react', 'vue', 'svelte'] as const)(
    'that of %s has each entry, and each hook in its table',
    (binding) => {
      const text = read(`bindings/${binding}/README.md`)
      expect(entriesOf(`bindings/${binding}`).filter((entry) => !isNamed(text, entry))).toEqual([])
      const names = [...hooks[binding].keys(), 'withOptions']
      expect(names.filter((name) => !text.includes(`\n| \`${name}(`))).toEqual([])
    },
  )
})

/** `…/valibot`, in a row of the table that begins with another entry. */
const isShort = (table: string, entry: string) => table.includes(`\`…/${entry.split('/').at(-1)}\``)
