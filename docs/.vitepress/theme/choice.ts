import { readonly, ref } from 'vue'
import { frameworks, storageKey } from '../frameworks.js'
import type { FrameworkId } from '../frameworks.js'

const chosen = ref<FrameworkId>('react')

/** The framework of the reader: kept in the browser, and shown on all pages. */
export const choice = readonly(chosen)

const isFramework = (text: string | null): text is FrameworkId => frameworks.some(({ id }) => id === text)

export function choose(framework: FrameworkId): void {
  chosen.value = framework
  document.documentElement.dataset['framework'] = framework
  try {
    localStorage.setItem(storageKey, framework)
  } catch {
    // A browser that keeps nothing shows the choice until the page is left.
  }
}

/** Takes the choice over that the script in the head has read, after hydration; and follows that of other tabs. */
export function followChoice(): void {
  const stored = document.documentElement.dataset['framework'] ?? null
  if (isFramework(stored)) chosen.value = stored
  addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && isFramework(newValue)) choose(newValue)
  })
}
