import type { Directive } from 'vue'

const observers = new WeakMap<Element, IntersectionObserver>()

/** `v-in-view="load"`: calls a function when the element is about to come into view. */
export const vInView: Directive<HTMLElement, () => unknown> = {
  mounted(element, { value: load }) {
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && load(), {
      rootMargin: '200px',
    })
    observer.observe(element)
    observers.set(element, observer)
  },
  unmounted(element) {
    observers.get(element)?.disconnect()
  },
  getSSRProps: () => ({}),
}
