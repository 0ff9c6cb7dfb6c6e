/** An element that the page's HTML has. */
export function elementById(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`index.html has no element "${id}".`)
  return element
}
