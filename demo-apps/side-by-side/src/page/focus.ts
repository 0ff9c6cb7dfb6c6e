/** Gives an element the focus that was lost with what had it; where the user has moved on meanwhile, it stays there. */
export function takeFocus(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus()
}

/** Gives the focus to what stays around a button that is about to leave the page. */
export function keepFocusNear(button: EventTarget | null): void {
  if (button instanceof Element) button.closest<HTMLElement>('[tabindex="-1"]')?.focus()
}
