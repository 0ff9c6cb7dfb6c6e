/**
 * Adds an element to the first HTML of a page: at the beginning of `<body>`, so that it precedes the scripts of the
 * page. If the HTML is not a whole document, adds it at the beginning.
 */
export function addToShell(html: string, element: string): string {
  if (!/^\s*(<!doctype[^>]*>\s*)?<html[\s>]/i.test(html)) return element + html
  for (const { 0: token, index } of html.matchAll(tokens)) {
    if (!/^<body/i.test(token)) continue
    const end = index + token.length
    return html.slice(0, end) + element + html.slice(end)
  }
  return html + element
}

/**
 * Matches the `<body>` tag, and before it everything in a head that may contain the text `<body>`. React escapes `>`
 * in attributes.
 */
const tokens =
  /<!--[\s\S]*?-->|<(script|style|title|noscript|template)\b[\s\S]*?<\/\1\s*>|<body(?:\s[^>]*)?>/gi
