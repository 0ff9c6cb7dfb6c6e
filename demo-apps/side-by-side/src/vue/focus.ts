import type { Directive } from 'vue'

/** `v-focus`: focuses the element when it is mounted. */
export const vFocus: Directive<HTMLElement> = { mounted: (element) => element.focus() }
