import { forFramework, isForOther } from './by-framework.js'
import { frameworks } from './frameworks.js'
import { mapLinks, readSource, summaryOf, titleOf } from './pages.js'
import type { Page } from './pages.js'
import type { MadePage } from './reference.js'
import { allSections, entriesIn } from './sidebar.js'

interface Guide {
  readonly target: string
  readonly source: string
}

/**
 * Texts for coding assistants, made of the pages: `llms.txt` lists them, `llms-full.txt` has all guides in one file, and `llms-small.txt` is
 * the compact guide. Each is there for one framework too: `llms-react.txt`, and the guides it lists as Markdown, `react/start.md`.
 */
export function assistantFiles(pages: readonly Page[]): MadePage[] {
  const byTarget = new Map(pages.map((page) => [page.target, readSource(page.source)]))
  const listed = allSections(pages).map((section) => ({
    text: section.text,
    guides: entriesIn(section).flatMap(({ link }): Guide[] => {
      const target = link.slice(1)
      const source = byTarget.get(target)
      return source === undefined ? [] : [{ target, source }]
    }),
  }))
  const compact = byTarget.get('assistants.md') ?? ''
  const head = `# Selfsame\n\n> ${summaryOf(byTarget.get('index.md') ?? '')}\n\n`
  const others = frameworks.map(({ id, name }) => `- [${name}](/llms-${id}.txt)`).join('\n')
  const all = listed.flatMap(({ guides }) => guides)
  return [
    {
      target: 'llms.txt',
      text: `${head}The compact guide is in /llms-small.txt, and all guides are in /llms-full.txt.\n\n## For one framework\n\n${others}\n\n${listOf(listed, ({ target }) => target.replace(/md$/, 'html'))}`,
    },
    { target: 'llms-full.txt', text: all.map(({ source }) => plain(source)).join('\n\n') },
    { target: 'llms-small.txt', text: plain(compact) },
    ...frameworks.flatMap(({ id, name }) => {
      const own = listed.map(({ text, guides }) => ({
        text,
        guides: guides
          .filter(({ target }) => !isForOther(target, id))
          .map(({ target, source }) => ({ target, source: forFramework(plain(source), id) })),
      }))
      const guides = own.flatMap((section) => section.guides)
      return [
        {
          target: `llms-${id}.txt`,
          text: `${head}For ${name}. The compact guide is in /llms-small-${id}.txt, and all guides are in /llms-full-${id}.txt.\n\n${listOf(own, ({ target }) => `${id}/${target}`)}`,
        },
        { target: `llms-full-${id}.txt`, text: guides.map(({ source }) => source).join('\n\n') },
        { target: `llms-small-${id}.txt`, text: forFramework(plain(compact), id) },
      ].concat(guides.map(({ target, source }) => ({ target: `${id}/${target}`, text: source })))
    }),
  ]
}

const listOf = (
  sections: readonly { text: string; guides: readonly Guide[] }[],
  addressOf: (guide: Guide) => string,
): string =>
  sections
    .filter(({ guides }) => guides.length > 0)
    .map(
      ({ text, guides }) =>
        `## ${text}\n\n${guides.map((guide) => `- [${titleOf(guide.source)}](/${addressOf(guide)})${describe(guide.source)}`).join('\n')}\n`,
    )
    .join('\n')

const describe = (source: string) => {
  const summary = summaryOf(source)
  return summary === '' ? '' : `: ${summary}`
}

const plain = (text: string) =>
  mapLinks(text, () => undefined)
    .replace(/<!--[\s\S]*?-->\n?/g, '')
    .trim()
