import { readFileSync } from 'node:fs'
import { demoHeader } from '@selfsame/demo-shared/server'
import { classHighlighter, highlightCode } from '@lezer/highlight'
import { parser } from '@lezer/javascript'
import react from '@vitejs/plugin-react'
import type { Plugin, PluginOption } from 'vite'
import { countLines } from './scripts/lines.js'
import { groups } from './src/script/steps.js'

/** What both servers of the page compile it with. */
export function pagePlugins(): PluginOption[] {
  return [demoHeader('/compare/'), written(), react()]
}

/** Writes the rows of the steps and the code of the hooks into the page, so that nothing moves when it is loaded. */
function written(): Plugin {
  return {
    name: 'compare-page',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('<!--steps-->', stepRows).replace('<!--code-->', codeOfEdits),
    },
  }
}

const pair = (measure: string) =>
  `<td><span data-of="${measure} tanstack">–</span> : <span data-of="${measure} selfsame">–</span></td>`

function stepRows(): string {
  const rows = groups
    .flat()
    .map(
      ({ title }) =>
        `<tr data-step="${title}"><th scope="row">${title}</th>${pair('requests')}${pair('renders')}</tr>`,
    )
  return rows.join('\n')
}

function codeOfEdits(): string {
  const figures = [
    ['TanStack Query', 'tanstack'],
    ['Selfsame', 'selfsame'],
  ].map(([name = '', folder = '']) => {
    const source = readFileSync(new URL(`src/${folder}/edit.ts`, import.meta.url), 'utf8')
    const code = source.replaceAll(/^import [^']*'[^']*'\n/gm, '').trim()
    return `<figure class="code">
  <figcaption><strong>${name}</strong> <span>${countLines(source)} lines</span></figcaption>
  <pre tabindex="0" role="region" aria-label="The edit with ${name}"><code>${highlighted(code)}</code></pre>
</figure>`
  })
  return `<div class="codes">${figures.join('\n')}</div>`
}

function highlighted(code: string): string {
  let html = ''
  highlightCode(
    code,
    parser.configure({ dialect: 'ts' }).parse(code),
    classHighlighter,
    (text, classes) => {
      html += classes === '' ? escapeHtml(text) : `<span class="${classes}">${escapeHtml(text)}</span>`
    },
    () => (html += '\n'),
  )
  return html
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
