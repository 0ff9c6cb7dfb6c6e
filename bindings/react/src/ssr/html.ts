/**
 * Adds an element to the first HTML of a page: at the beginning of its `<body>`, so that it stands before the scripts of the
 * page; of what is no whole document, at its beginning.
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

/** What stands in a head and may hold the text `<body>`, or is that element. React escapes `>` in attributes. */
const tokens =
  /<!--[\s\S]*?-->|<(script|style|title|noscript|template)\b[\s\S]*?<\/\1\s*>|<body(?:\s[^>]*)?>/gi
