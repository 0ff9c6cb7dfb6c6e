import type { HtmlTagDescriptor, Plugin } from 'vite'

/** The pages that the header leads to, with an icon of `design/icons.css`. */
const pages = [
  ['/side-by-side/', 'Side by side', 'columns-3'],
  ['/react/', 'React', 'newspaper'],
  ['/vue/', 'Vue', 'newspaper'],
  ['/svelte/', 'Svelte', 'newspaper'],
  ['/compare/', 'Two libraries', 'scale'],
  ['/rows/', '100,000 rows', 'columns-3'],
  ['/side-by-side/?panel=open', 'Devtools', 'activity'],
  ['/source/docs/README.md', 'Docs', 'book-open'],
  ['/pages/', 'All pages', 'code-xml'],
] as const

/** The logo of the documentation. */
const circles = [
  [12, '#4a3fe0'],
  [20, '#a9a6ff'],
]
  .map(([x, color]) => `<circle cx='${x}' cy='16' r='9' fill='none' stroke='${color}' stroke-width='4'/>`)
  .join('')

/**
 * The header of the demo. Its first link leads to `#content`.
 *
 * @param current - the path of the page
 * @returns HTML
 */
export function headerOf(current: string): string {
  const links = pages.map(
    ([path, name, icon]) =>
      `<a href="${path}"${path === current ? ' aria-current="page"' : ''} data-icon="${icon}">${name}</a>`,
  )
  return `<a class="skip" href="#content">Skip to the content</a>
    <header class="top">
      <a class="brand" href="/side-by-side/">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">${circles}</svg>
        Selfsame
      </a>
      <nav aria-label="Demo">
        ${links.join('\n        ')}
      </nav>
    </header>`
}

/** The URL of the icon. */
export const iconUrl = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${circles}</svg>`,
)}`

/**
 * Gives a page the header, the icon and the font of the demo. The header takes the place of `<!--header-->`.
 *
 * @param current - the path of the page
 */
export function demoHeader(current: string): Plugin {
  let base = '/'
  return {
    name: 'demo-header',
    configResolved: (config) => void (base = config.base),
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => ({
        html: html.replace('<!--header-->', headerOf(current)),
        tags: [
          { tag: 'link', attrs: { rel: 'icon', href: iconUrl }, injectTo: 'head' },
          // A page that is compiled on demand has no bundle, and shows the font when it is in the browser's cache.
          ...Object.keys(bundle)
            .filter((name) => name.endsWith('.woff2'))
            .map((name) => preload(base + name)),
        ],
      }),
    },
  }
}

function preload(href: string): HtmlTagDescriptor {
  const attrs = { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: true }
  return { tag: 'link', attrs, injectTo: 'head-prepend' }
}
