/** `{@attach focus}`: the element has the focus from the moment it appears. */
export function focus(element: HTMLElement): void {
  element.focus()
}
