import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Guides say where the panel shows what they tell of.

const read = (path: string) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The tabs of the panel, from its source. */
const [, source = ''] =
  /const tabs = \{([\s\S]*?)\}/.exec(
    read('tools/devtools/src/panel/panel.ts'),
  ) ?? []
const tabs = [...source.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)

/** The names of tabs in the paragraphs and items that link to the panel. */
const tabsIn = (guide: string) =>
  read(`docs/${guide}.md`)
    .split(/\n\n|\n(?=- )/)
    .filter((part) => part.includes('](devtools.md'))
    .flatMap((part) =>
      [...part.matchAll(/\btab\s\*\*(\w+)\*\*|\*\*(\w+)\*\*\stab\b/g)].map(
        ([, last, first]) => first ?? last,
      ),
    )

test.each([
  ['authentication', ['Records']],
  ['data-model', ['Records']],
  ['error-handling', ['Network', 'Calls']],
  ['faq', ['Calls']],
  ['live', ['Timeline']],
  ['maintained', ['Timeline']],
  ['middleware', ['Calls']],
  ['mutations', ['Timeline']],
  ['offline', ['Layers']],
  ['pagination', ['Calls']],
  ['performance', ['Timeline']],
  ['optimistic', ['Layers', 'Network']],
  ['reading', ['Timeline', 'Timeline']],
  ['server-rendering', ['Timeline']],
])('the guide %s names the tabs %s, which the panel has', (guide, expected) => {
  expect(tabsIn(guide)).toEqual(expected)
  expect(tabs).toEqual(expect.arrayContaining(expected))
})
