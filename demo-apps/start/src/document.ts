/**
 * A page of plain HTML, in the style of the applications.
 *
 * @param main - HTML
 */
export function documentOf(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:," />
    <link rel="preload" href="/fonts/inter.woff2" as="font" type="font/woff2" crossorigin />
    <link rel="stylesheet" href="/styles.css" />
  </head>
  <body>
    <div class="page">
      <nav aria-label="Demo"><a href="/">Demo</a> · <a href="/pages/">All pages</a></nav>
      <main>
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
