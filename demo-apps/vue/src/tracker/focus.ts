import type { Directive } from 'vue'

/** `v-focus`: the element gets the focus when it appears, because the user asked for it. */
export const vFocus: Directive<HTMLElement> = {
  mounted: (element) => element.focus(),
  getSSRProps: () => ({}),
}
