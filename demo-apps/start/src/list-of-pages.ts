import type { ServerResponse } from 'node:http'
import { documentOf } from './document.js'
import { listPath } from './list-path.js'
import { journals, studies, type DemoPage } from './pages.js'
import { sourcePrefix } from './source.js'

export function sendListOfPages(response: ServerResponse, isServerRendered: boolean): void {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
  response.end(listOfPages(isServerRendered))
}

function listOfPages(isServerRendered: boolean): string {
  const rendering = isServerRendered
    ? 'The server renders each page with its data. Hydration sends no request.'
    : 'The browser renders each page. <code>npm run demo -- --ssr</code> renders them on the server.'
  const sections = [
    section('One feature each', 'Start here.', studies),
    section(
      'The same application in each framework',
      `One API, one stylesheet, one REST server. ${rendering}`,
      journals,
    ),
  ]
  return documentOf(
    'Selfsame: the demo',
    `<h1>Selfsame</h1>
<p class="lead">A client-side data layer for React, Vue and Svelte. It stores every record once.</p>
${sections.join('\n')}
<section aria-labelledby="terminal">
  <h2 id="terminal">In a terminal</h2>
  <p>
    <code>npm start -w @selfsame/demo-node -- --help</code>: the same API without a framework.
    <a href="${sourcePrefix}demo-apps/node/">Source of the program</a>
  </p>
</section>`,
    listPath,
  )
}

function section(title: string, lead: string, pages: readonly DemoPage[]): string {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  return `<section aria-labelledby="${id}">
  <h2 id="${id}">${title}</h2>
  <p>${lead}</p>
  <ul class="cards">
${pages.map(card).join('\n')}
  </ul>
</section>`
}

function card({ name, summary, base, folder }: DemoPage): string {
  return `    <li class="card">
      <h3><a href="${base}">${name}</a></h3>
      <p>${summary}</p>
      <p><a href="${sourcePrefix}${folder}/">Source of ${name}</a></p>
    </li>`
}
