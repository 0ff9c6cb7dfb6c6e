import { readFileSync } from 'node:fs'
import type { MarkdownRenderer } from 'vitepress'
import { root } from './pages.js'
import { sizeOf } from './picture-size.js'

/**
 * Puts the drawings of `docs/drawings` into the page, so that they take its colours. On a code host they are pictures, with the
 * colours of their own style, light or dark. Pictures of `docs/pictures` get their size, so that nothing moves when they arrive.
 */
export function inlineDrawings(md: MarkdownRenderer): void {
  const image = md.renderer.rules.image
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const [, name] = /drawings\/([\w-]+)\.svg$/.exec(token?.attrGet('src') ?? '') ?? []
    if (token === undefined || name === undefined) {
      const [, picture] = /pictures\/([\w-]+\.webp)$/.exec(token?.attrGet('src') ?? '') ?? []
      if (picture !== undefined)
        for (const [side, pixels] of Object.entries(sizeOf(picture))) token?.attrSet(side, String(pixels))
      return image?.(tokens, index, options, env, self) ?? ''
    }
    const svg = readFileSync(`${root}docs/drawings/${name}.svg`, 'utf8')
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replace(/\n\s*/g, ' ')
      .replace('<svg ', `<svg role="img" aria-label="${md.utils.escapeHtml(token.content)}" `)
    return `<span class="drawing" tabindex="0">${svg}</span>`
  }
}
