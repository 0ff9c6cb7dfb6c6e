/** `{@attach focus}`: focuses the element when it is mounted. */
export function focus(element: HTMLElement): void {
  element.focus()
}
