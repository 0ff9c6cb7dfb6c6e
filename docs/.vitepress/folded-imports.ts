import type { MarkdownRenderer } from 'vitepress'

/** Folds the first lines of a fence whose info says `imports=5`: what the sample imports, and what it takes as given. */
export function foldedImports(md: MarkdownRenderer): void {
  const renderFence = md.renderer.rules.fence
  if (renderFence === undefined) return
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const count = Number(/ imports=(\d+)/.exec(token?.info ?? '')?.[1] ?? 0)
    if (token === undefined || count === 0) return renderFence(tokens, index, options, env, self)
    const info = token.info.replace(/ imports=\d+/, '')
    const lines = token.content.split('\n')
    const part = (content: string) => {
      const shown = Object.assign(Object.create(token) as typeof token, { info, content })
      return renderFence([shown], 0, options, env, self)
    }
    return `<details class="imports"><summary>Imports</summary>
${part(`${lines.slice(0, count).join('\n')}\n`)}</details>
${part(lines.slice(count).join('\n').trimStart())}`
  }
}
