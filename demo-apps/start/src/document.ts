import { headerOf, iconUrl } from '@selfsame/demo-shared/server'

/**
 * A page of plain HTML, in the style of the applications, with the header of the demo.
 *
 * @param main - HTML
 * @param path - of the page
 */
export function documentOf(title: string, main: string, path = ''): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="${iconUrl}" />
    <link rel="preload" href="/fonts/inter.woff2" as="font" type="font/woff2" crossorigin />
    <link rel="stylesheet" href="/styles.css" />
  </head>
  <body>
    ${headerOf(path)}
    <div class="page">
      <main id="content" tabindex="-1">
${main}
      </main>
    </div>
  </body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
