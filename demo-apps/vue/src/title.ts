import { toValue, useSSRContext, watchEffect, type MaybeRefOrGetter } from 'vue'

/** Values that a page sets during a server render. */
export interface TitleContext {
  title?: string
}

/** Sets the title of the document. */
export function useTitle(title: MaybeRefOrGetter<string>): void {
  if (import.meta.env.SSR) {
    const context = useSSRContext<TitleContext>()
    if (context !== undefined) context.title = toValue(title)
  } else {
    watchEffect(() => (document.title = toValue(title)))
  }
}

/** The title as HTML, for the head of a page. */
export function headOf({ title = 'Tracker' }: TitleContext): string {
  return `<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`
}
