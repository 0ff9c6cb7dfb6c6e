/** Focuses an element if the focused one was removed. If the user has moved the focus, it stays. */
export function takeFocus(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus()
}

/** Focuses an element around a button that is about to be removed. */
export function keepFocusNear(button: EventTarget | null): void {
  if (button instanceof Element) button.closest<HTMLElement>('[tabindex="-1"]')?.focus()
}
