/** What an element had before it was hidden. */
interface Scrolled {
  readonly element: Element
  readonly top: number
  readonly left: number
}

/**
 * Notes what is lost when an element is hidden: the focus inside it, and how far the page and the elements around it are
 * scrolled. Browsers keep the text of fields and the scroll position of what is hidden by themselves.
 *
 * @param element - that will be hidden
 * @returns a function that gives back what was lost, to call when the element is shown again. It takes nothing from the
 *   user, who may have moved the focus or scrolled meanwhile
 */
export function keepPlace(element: HTMLElement): () => void {
  const { activeElement } = element.ownerDocument
  const focused = element.contains(activeElement) ? (activeElement as HTMLElement) : undefined
  const scrolled: Scrolled[] = []
  for (let each = element.parentElement; each !== null; each = each.parentElement) {
    const { scrollTop: top, scrollLeft: left } = each
    if (top !== 0 || left !== 0) scrolled.push({ element: each, top, left })
  }
  return () => {
    // A shorter page is scrolled to its end: then the user has not moved it.
    for (const { element: each, top, left } of scrolled) {
      if (each.scrollTop <= top && each.scrollLeft <= left) each.scrollTo({ top, left, behavior: 'instant' })
    }
    const now = element.ownerDocument.activeElement
    if (now === null || now === element.ownerDocument.body) focused?.focus({ preventScroll: true })
  }
}
