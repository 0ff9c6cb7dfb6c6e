import type { MarkdownRenderer } from 'vitepress'
import { frameworkOf } from './frameworks.js'
import type { FrameworkId } from './frameworks.js'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

interface Run {
  readonly framework: FrameworkId
  readonly fences: Token[]
}

/**
 * Shows code fences that follow one another, each for another framework, as tabs. A plain Markdown page needs nothing but the
 * fences: ```` ```tsx ````, ```` ```vue ```` and ```` ```svelte ```` name their framework, others say it by a label such as
 * ```` ```ts [TypeScript] ````.
 */
export function frameworkTabs(md: MarkdownRenderer): void {
  md.core.ruler.push('framework-tabs', (state) => {
    const tokens: Token[] = []
    for (let at = 0; at < state.tokens.length;) {
      const runs = runsFrom(state.tokens, at)
      const count = runs.reduce((sum, { fences }) => sum + fences.length, 0)
      if (runs.length < 2) {
        tokens.push(...state.tokens.slice(at, at + Math.max(count, 1)))
        at += Math.max(count, 1)
        continue
      }
      tokens.push(html(`<FrameworkTabs frameworks="${runs.map(({ framework }) => framework).join(' ')}">\n`))
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
