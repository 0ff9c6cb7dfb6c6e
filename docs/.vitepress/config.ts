import { svelte } from '@sveltejs/vite-plugin-svelte'
import { watch } from 'node:fs'
import { defineConfig } from 'vitepress'
import type { MarkdownRenderer } from 'vitepress'
import { inlineDrawings } from './drawings.js'
import { foldedImports } from './folded-imports.js'
import { frameworkTabs } from './framework-tabs.js'
import { frameworks, storageKey } from './frameworks.js'
import { root, writtenPages } from './pages.js'
import { preparePages, repository } from './prepare.js'
import { sidebars } from './sidebar.js'
import { slugify } from './slugify.js'

// The site is made of the Markdown files in docs/, which read well on a code host too: see CONTRIBUTING.md.

const reference = await preparePages()

/** Runs before the page is shown, so that no other framework flashes up. */
const readChoice = `try{var f=localStorage.getItem(${JSON.stringify(storageKey)})}catch(e){}
document.documentElement.dataset.framework=${JSON.stringify(frameworks.map(({ id }) => id))}.includes(f)?f:'react'`

/** Where the site stands on its host: `/`, or `/selfsame/`. */
const base = (process.env['SITE_BASE'] ?? '/') as `/${string}/`

/** Code is text, also where it holds `{{ }}` of Vue. */
function verbatimCode(md: MarkdownRenderer): void {
  md.core.ruler.push('verbatim-code', ({ tokens }) => {
    for (const { children } of tokens) {
      for (const child of children ?? []) if (child.type === 'code_inline') child.attrSet('v-pre', '')
    }
  })
}

/** The first cell of a table of names is no header where it is empty. */
function emptyHeaders(md: MarkdownRenderer): void {
  md.core.ruler.push('empty-headers', ({ tokens }) => {
    tokens.forEach((token, at) => {
      const [inline, close] = [tokens[at + 1], tokens[at + 2]]
      if (token.type === 'th_open' && inline?.content === '' && close !== undefined)
        token.tag = close.tag = 'td'
    })
  })
}

/**
 * A page of the reference with exactly the name that is searched comes first, that for the framework of the reader at the top. Then come
 * guides, then the specification and error codes, then the rest of the generated reference. Runs in the browser, so it names nothing of
 * this file.
 */
function weightOf(address: string): number {
  const [, of = '', name = ''] = /\/reference\/([\w-]+)\/(\w+)/.exec(address) ?? []
  const field = document.querySelector<HTMLInputElement>('.VPLocalSearchBox input')
  if (name !== '' && name.toLowerCase() === field?.value.trim().toLowerCase()) {
    const isOther = /^(?:react|vue|svelte)$/.test(of) && of !== document.documentElement.dataset['framework']
    return isOther ? 20 : 40
  }
  if (/\/(?:reference|changelog|contributing|security)/.test(address)) return 0.1
  if (/\/(?:specification|benchmarks|linter|legacy|migrating|errors)/.test(address)) return 0.4
  return /\/(?:start|concepts|mutations|reading|pagination|data-model|error-handling|devtools)\b/.test(
    address,
  )
    ? 1.5
    : 1
}

/** Words of a question that say nothing about what is searched. Runs in the browser. */
function searchedWord(word: string): string | null {
  const isIdle =
    /^(?:an?|and|are|at|be|by|can|do|does|for|from|how|if|in|into|is|it|my|of|on|one|or|over|the|things?|this|that|to|two|use|want|what|when|where|while|with|without|you|your)$/i
  return isIdle.test(word) ? null : word.toLowerCase()
}

export default defineConfig({
  title: 'Selfsame',
  titleTemplate: ':title | Selfsame',
  description: 'A normalized client-side data layer for React, Vue, Svelte and plain TypeScript.',
  lang: 'en',
  base,
  srcDir: '.vitepress/pages',
  // Guides as Markdown, which are files of the site and no pages.
  srcExclude: ['public/**'],
  cacheDir: '.vitepress/cache',
  outDir: '.vitepress/dist',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }],
    ['script', {}, readChoice],
  ],
  // The font of the first paint: one that is late would move the page, so the visit does without it.
  transformHead: ({ assets }) =>
    assets
      .filter((path) => path.endsWith('.woff2'))
      .map((href) => ['link', { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: '' }]),
  lastUpdated: false,
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      md.use(frameworkTabs)
      md.use(foldedImports)
      md.use(inlineDrawings)
      md.use(verbatimCode)
      md.use(emptyHeaders)
    },
  },
  themeConfig: {
    logo: '/favicon.svg',
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            boostDocument: weightOf,
            processTerm: searchedWord,
            prefix: (word) => word.length > 2,
            fuzzy: (word) => (word.length > 4 ? 0.2 : false),
          },
        },
      },
    },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/reading' },
      { text: 'API', link: '/reference/' },
      { text: 'Playground', link: '/play' },
    ],
    sidebar: sidebars(writtenPages(), reference),
    docFooter: { prev: 'Previous', next: 'Next' },
    notFound: {
      title: 'Page not found',
      quote: 'It may have moved. Search for it at the top of the page, or begin at the front page.',
      linkLabel: 'Go to the front page',
      linkText: 'Front page',
    },
    ...(repository !== undefined && {
      socialLinks: [{ icon: 'github', link: repository }],
      editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    }),
  },
  vite: {
    // Live samples run with the sources of the packages.
    resolve: { conditions: ['selfsame-source', 'module', 'browser', 'development|production'] },
    ssr: { resolve: { conditions: ['selfsame-source', 'module', 'node', 'development|production'] } },
    // Pages are made again while somebody writes them.
    plugins: [
      svelte({ configFile: false }),
      {
        name: 'selfsame-docs-pages',
        apply: 'serve',
        configureServer(server) {
          const watcher = watch(`${root}docs`, { recursive: true }, (_, name) => {
            if (name?.endsWith('.md') && !name.startsWith('.vitepress')) void preparePages()
          })
          server.httpServer?.once('close', () => watcher.close())
        },
      },
    ],
  },
})
