import { existsSync, readFileSync } from 'node:fs'
import type { MarkdownRenderer } from 'vitepress'
import { frameworkOf } from './frameworks.js'
import type { FrameworkId } from './frameworks.js'
import { root } from './pages.js'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

interface Run {
  readonly framework: FrameworkId
  readonly fences: Token[]
}

/**
 * Shows code fences that follow one another, each for another framework, as tabs. A plain Markdown page needs nothing but the
 * fences: ```` ```tsx ````, ```` ```vue ```` and ```` ```svelte ```` name their framework, others say it by a label such as
 * ```` ```ts [TypeScript] ````. A marker in front of them, `<!-- live: guides/EditTodo id=5 -->`, lets the sample run in the page;
 * in front of anything else, it runs the sample alone. `<!-- playground -->` stands for the playground.
 */
export function frameworkTabs(md: MarkdownRenderer): void {
  md.core.ruler.push('framework-tabs', (state) => {
    const tokens: Token[] = []
    for (let at = 0; at < state.tokens.length;) {
      const runs = runsFrom(state.tokens, at)
      const count = runs.reduce((sum, { fences }) => sum + fences.length, 0)
      if (runs.length < 2) {
        const alone =
          runs.length === 0 && runsFrom(state.tokens, at + 1).length < 2 ? aloneOf(state.tokens[at]) : ''
        if (alone !== '') tokens.push(html(alone))
        tokens.push(...state.tokens.slice(at, at + Math.max(count, 1)))
        at += Math.max(count, 1)
        continue
      }
      const names = runs.map(({ framework }) => framework).join(' ')
      tokens.push(html(`<FrameworkTabs frameworks="${names}"${liveOf(state.tokens[at - 1], runs)}>\n`))
      for (const { framework, fences } of runs) {
        tokens.push(html(`<template #${framework}>\n`), ...fences, html('</template>\n'))
      }
      tokens.push(html('</FrameworkTabs>\n'))
      at += count
    }
    state.tokens = tokens

    function html(content: string): Token {
      const token = new state.Token('html_block', '', 0)
      token.content = content
      return token
    }
  })
}

/** Fences that follow one another from a place, by framework. Ends where a framework comes again, or a fence has none. */
function runsFrom(tokens: readonly Token[], start: number): Run[] {
  const runs: Run[] = []
  for (const token of tokens.slice(start)) {
    const framework = token.type === 'fence' ? frameworkOf(token.info) : undefined
    if (framework === undefined) break
    const last = runs.at(-1)
    if (last?.framework === framework) last.fences.push(token)
    else if (runs.some((run) => run.framework === framework)) break
    else runs.push({ framework, fences: [token] })
  }
  return runs
}

const marked = (marker: Token | undefined) =>
  marker?.type === 'html_block' ? (/^<!-- live: (\S+) *(.*?) *-->/.exec(marker.content) ?? []) : []

/** A sample that runs where its marker stands, without its code. */
function aloneOf(marker: Token | undefined): string {
  if (marker?.content.startsWith('<!-- playground -->')) return '<LivePlayground />\n'
  const [, sample, props = ''] = marked(marker)
  return sample === undefined ? '' : `<LiveAlone${attributesOf(sample, props)} />\n`
}

function attributesOf(sample: string, props: string): string {
  const given = [...props.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => `${name}: ${value}`)
  return ` live="${sample}" :given="{ ${given.join(', ')} }"`
}

/** The attributes of tabs whose sample runs in the page: its path below `docs/examples`, and its props, which are numbers. */
function liveOf(marker: Token | undefined, runs: readonly Run[]): string {
  const [, sample, props = ''] = marked(marker)
  if (sample === undefined) return ''
  for (const { framework, fences } of runs)
    if (framework !== 'typescript') for (const { content } of fences) checkShown(sample, content)
  return attributesOf(sample, props)
}

/**
 * @param sample - the path of the sample: the files that it imports stand beside it
 * @throws Error if the code in the page is not that of the file which runs
 */
export function checkShown(sample: string, code: string): void {
  const [, name] = /^(?:\/\/|<!--) ([\w.]+)/.exec(code) ?? []
  if (name === undefined)
    throw new Error(`A fence of the live sample ${sample} names no file in its first line.`)
  const file = `docs/examples/${sample.replace(/[^/]*$/, '')}${name}`
  const text = existsSync(`${root}${file}`) ? readFileSync(`${root}${file}`, 'utf8') : ''
  // In an application the API stands beside the component.
  const runs = text.replaceAll(`'../api`, `'./api`)
  if (runs.trim() !== code.trim()) throw new Error(`The code of ${file} is not what its page shows.`)
}
