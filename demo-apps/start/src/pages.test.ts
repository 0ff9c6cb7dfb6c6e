import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemo, type Demo } from './demo.js'
import { pages } from './pages.js'

let demo: Demo
/** The links of the header: the skip link, the name and the pages. */
const inHeader = 11

beforeAll(async () => {
  demo = await startDemo({ sizes: { users: 4, articles: 12 } })
})
afterAll(() => demo?.close())

test('the front page is the three panes, and leads to all pages', async () => {
  const response = await fetch(`${demo.url}/`)
  expect(new URL(response.url).pathname).toBe('/side-by-side/')
  const links = linksOf(await response.text()).filter((link) => link !== '/pages/')
  // The skip link; its name, its entry in the navigation, and the second window; the panel; the documentation.
  const others = [
    '#content',
    ...['/side-by-side/', '/side-by-side/', '/side-by-side/?panel=open', '/source/docs/README.md'],
  ]
  expect(links.toSorted()).toEqual([...pages.map(({ base }) => base), ...others].toSorted())
})

test('the list of pages leads to every page and to its source', async () => {
  const links = linksOf(await text('/pages/'))
  expect(links.slice(inHeader)).toEqual([
    ...pages.flatMap(({ base, folder }) => [base, `/source/${folder}/`]),
    '/source/demo-apps/node/',
  ])
  for (const link of links.filter((each) => each !== '#content'))
    expect([link, (await fetch(demo.url + link)).status]).toEqual([link, 200])
})

test('what the HTML of a page names is there, below the path of the page', async () => {
  for (const { base } of pages) {
    const html = await text(base)
    const named = [...html.matchAll(/<(?:link|script) [^>]*(?:href|src)="([^":]*)"/g)].map(
      ([, url = '']) => url,
    )
    expect(named.length).toBeGreaterThan(1)
    for (const url of named) {
      const response = await fetch(new URL(url, demo.url + base))
      const isPage = response.headers.get('Content-Type')?.startsWith('text/html')
      expect([url, response.status, isPage]).toEqual([url, 200, false])
    }
  }
})

test('the page that counts renders has the build of React that counts them', async () => {
  const [, script = ''] = /<script [^>]*src="([^"]*)"/.exec(await text('/compare/')) ?? []
  expect(await text(script)).toContain('react-dom-client.development.js')
})

test('shows the sources of the demo, and nothing else of the disk', async () => {
  const folder = '/source/demo-apps/side-by-side/'
  expect(linksOf(await text(folder))).toEqual(
    expect.arrayContaining(['/source/demo-apps/', `${folder}src/`, `${folder}index.html`]),
  )
  expect(linksOf(await text(folder)).join(' ')).not.toContain('node_modules')
  expect(await text(`${folder}src/vue/mount.ts`)).toContain('createApp(Pane)')
  expect(linksOf(await text('/source/docs/README.md'))).toContain('./start.md')
  for (const path of [
    'package.json',
    'demo-apps/%2e%2e/package.json',
    'demo-apps/node_modules/',
    'demo-apps/.x',
  ]) {
    expect([path, (await fetch(`${demo.url}/source/${path}`)).status]).toEqual([path, 404])
  }
})

test('all pages have the REST server below /rest, and other paths are not found', async () => {
  expect(JSON.parse(await text('/rest/article?limit=1'))).toHaveLength(1)
  const missing = await fetch(`${demo.url}/nowhere`)
  expect(missing.status).toBe(404)
  expect(linksOf(await missing.text()).slice(inHeader)).toEqual(['/pages/'])
})

async function text(path: string): Promise<string> {
  const response = await fetch(demo.url + path)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href)
}
