const shownBefore = new WeakMap<Element, string>()

/** Highlights an element briefly if its content has changed. */
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
