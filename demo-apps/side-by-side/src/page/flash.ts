const shownBefore = new WeakMap<Element, string>()

/** Lights an element up for a moment if it shows something else than it did before. */
export function flashOnChange(element: Element | null, shown: string): void {
  if (element === null) return
  const before = shownBefore.get(element)
  shownBefore.set(element, shown)
  if (before !== undefined && before !== shown) {
    element.animate(
      { backgroundColor: ['var(--flash)', 'transparent'] },
      { duration: 1400, easing: 'ease-out' },
    )
  }
}
