import type { Directive } from 'vue'

/** `v-focus`: the element has the focus from the moment it appears. */
export const vFocus: Directive<HTMLElement> = { mounted: (element) => element.focus() }
