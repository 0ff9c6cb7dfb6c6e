import { mapLinks, readSource, summaryOf, titleOf } from './pages.js'
import type { Page } from './pages.js'
import type { MadePage } from './reference.js'
import { allSections, entriesIn } from './sidebar.js'

/**
 * Texts for coding assistants, made of the pages: `llms.txt` lists them, `llms-full.txt` has all guides in one file, and
 * `llms-small.txt` is the compact guide.
 */
export function assistantFiles(pages: readonly Page[]): MadePage[] {
  const byTarget = new Map(pages.map((page) => [page.target, readSource(page.source)]))
  const listed = allSections(pages).map((section) => ({
    text: section.text,
    items: entriesIn(section).flatMap(({ link }) => {
      const target = link.slice(1)
      const source = byTarget.get(target)
      return source === undefined ? [] : [{ target, source }]
    }),
  }))
  const front = byTarget.get('index.md') ?? ''
  const list = listed
    .filter(({ items }) => items.length > 0)
    .map(
      ({ text, items }) =>
        `## ${text}\n\n${items.map(({ target, source }) => `- [${titleOf(source)}](/${target.replace(/md$/, 'html')})${describe(source)}`).join('\n')}\n`,
    )
  const full = listed.flatMap(({ items }) => items.map(({ source }) => plain(source)))
  return [
    {
      target: 'llms.txt',
      text: `# Selfsame\n\n> ${summaryOf(front)}\n\nThe compact guide is in /llms-small.txt, and all guides are in /llms-full.txt.\n\n${list.join('\n')}`,
    },
    { target: 'llms-full.txt', text: full.join('\n\n') },
    { target: 'llms-small.txt', text: plain(byTarget.get('assistants.md') ?? '') },
  ]
}

const describe = (source: string) => {
  const summary = summaryOf(source)
  return summary === '' ? '' : `: ${summary}`
}

const plain = (text: string) =>
  mapLinks(text, () => undefined)
    .replace(/<!--[\s\S]*?-->\n?/g, '')
    .trim()
